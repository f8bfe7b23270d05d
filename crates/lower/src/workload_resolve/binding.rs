use super::Resolver;
use numalab_files::workload_file::BindingFile;
use numalab_workload::BindingText;

impl Resolver<'_, '_> {
    /// Binding of threads that a file states; `None` after reporting an error.
    pub(super) fn binding(&mut self, path: &str, file: &BindingFile) -> Option<BindingText> {
        match file {
            BindingFile { places, proc_bind, condition: None, then: None, otherwise: None } => {
                Some(BindingText { places: places.clone(), proc_bind: proc_bind.clone() })
            }
            BindingFile {
                places: None,
                proc_bind: None,
                condition: Some(condition),
                then: Some(then),
                otherwise,
            } => {
                // Both alternatives are checked, also the alternative that is not chosen.
                let holds = self.constant(&format!("{path}.if"), condition)? != 0.0;
                let then = self.binding(&format!("{path}.then"), then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.binding(&format!("{path}.else"), otherwise),
                    None => Some(BindingText::default()),
                };
                if holds { then } else { otherwise }
            }
            _ => {
                let label = "expected `places` and `proc_bind`, or `if` and `then`";
                self.report.at(path, "this is not a binding", label);
                None
            }
        }
    }
}
