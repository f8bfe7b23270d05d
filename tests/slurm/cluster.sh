# shellcheck shell=bash
# A Slurm cluster of one node with two processors, on loopback, in a folder of its own. To be sourced:
#
#   cluster_needs        says what is missing to start one, and fails
#   cluster_start DIR    starts it; then sbatch, squeue, scancel and scontrol speak to it; DIR is an absolute path
#                        through folders that everybody may enter, which munge insists on
#   cluster_stop         ends all its jobs and daemons; harmless when there are none
#
# It touches no cluster that this computer may belong to: configuration, key, sockets and ports are its own.
# Daemons stay in the foreground of the shell, which thus knows their process numbers.

cluster_daemons=()

cluster_needs() {
    local missing=() tool
    for tool in munged slurmctld slurmd sbatch squeue scancel scontrol; do
        PATH="$PATH:/usr/sbin" command -v "$tool" >/dev/null || missing+=("$tool")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        echo "error: this needs a Slurm, and there is no ${missing[*]}" >&2
        echo "  tip: on Debian and Ubuntu: apt-get install --no-install-recommends slurm-wlm munge" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        echo "error: slurmd starts jobs as their users, and only root may do so; you are $(id -un)" >&2
        echo "  tip: run this as root, best in a container or a virtual machine" >&2
        return 1
    fi
}

# A port on which nobody listens, counted from the one given.
cluster_free_port() {
    local port=$1
    while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
    echo "$port"
}

cluster_start() {
    cluster_dir=$1
    PATH="$PATH:/usr/sbin"
    local host
    host=$(hostname -s)
    mkdir -p "$cluster_dir"/{munge,state,spool}
    # Munge wants its key closed, and its socket in a folder that everybody may enter.
    chmod 755 "$cluster_dir" "$cluster_dir/munge"
    (umask 277 && head -c 128 /dev/urandom >"$cluster_dir/munge/key")
    munged --foreground --num-threads=2 --key-file="$cluster_dir/munge/key" --socket="$cluster_dir/munge/socket" \
        --pid-file="$cluster_dir/munge/pid" --log-file="$cluster_dir/munge/log" \
        --seed-file="$cluster_dir/munge/seed" --origin=127.0.0.1 >"$cluster_dir/munge/out" 2>&1 &
    cluster_daemons+=($!)
    cluster_wait "munged" test -S "$cluster_dir/munge/socket"

    local controller node
    controller=$(cluster_free_port 26817)
    node=$(cluster_free_port $((controller + 1)))
    # Two processors, one job on each, started at once.
    cat >"$cluster_dir/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller
SlurmdPort=$node
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster_dir/munge/socket
StateSaveLocation=$cluster_dir/state
SlurmdSpoolDir=$cluster_dir/spool
SlurmctldPidFile=$cluster_dir/slurmctld.pid
SlurmdPidFile=$cluster_dir/slurmd.pid
SlurmctldLogFile=$cluster_dir/slurmctld.log
SlurmdLogFile=$cluster_dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=2,defer_batch
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
MinJobAge=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF="$cluster_dir/slurm.conf"
    slurmctld -D -f "$SLURM_CONF" >"$cluster_dir/slurmctld.out" 2>&1 &
    cluster_daemons+=($!)
    slurmd -D -f "$SLURM_CONF" >"$cluster_dir/slurmd.out" 2>&1 &
    cluster_daemons+=($!)
    cluster_wait "the node" cluster_idle
}

cluster_idle() {
    [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ]
}

cluster_alive() {
    local process
    for process in "${cluster_daemons[@]}"; do kill -0 "$process" 2>/dev/null || return 1; done
}

# cluster_wait WHAT COMMAND...: until the command succeeds, 30 seconds at most.
cluster_wait() {
    local what=$1 deadline=$((SECONDS + 30))
    shift
    until "$@"; do
        # Whoever has given up by now will not come.
        if [ $SECONDS -ge $deadline ] || ! cluster_alive; then
            echo "error: $what is not up after $((SECONDS - deadline + 30)) seconds; the end of the logs:" >&2
            tail -n 5 "$cluster_dir"/*.log "$cluster_dir"/*.out "$cluster_dir"/munge/{log,out} 2>/dev/null >&2
            return 1
        fi
        sleep 0.1
    done
}

cluster_stop() {
    [ ${#cluster_daemons[@]} -gt 0 ] || return 0
    local deadline=$((SECONDS + 15)) at
    if [ -n "$(squeue --noheader 2>/dev/null)" ]; then
        scancel --user="$(id -un)" 2>/dev/null
        # The daemon must see the jobs to their end, or their processes outlive it.
        while [ -n "$(squeue --noheader 2>/dev/null)" ] && [ $SECONDS -lt $deadline ]; do sleep 0.2; done
    fi
    # The last one started is the first to go: munge answers to the end.
    for ((at = ${#cluster_daemons[@]} - 1; at >= 0; at--)); do
        kill "${cluster_daemons[at]}" 2>/dev/null
        wait "${cluster_daemons[at]}" 2>/dev/null
    done
    cluster_daemons=()
}
