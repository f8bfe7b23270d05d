// The flows of `loadbal` in SimGrid: what a general simulator takes for the bandwidth part of the same question.
//
//   loadbal BOARDS SOCKETS CORES PACKAGES static|dynamic|steal direct|mailbox [--cfg=...]
//
// A package is one flow from the memory of its home to the core of its thread: through the home's memory controller,
// a link between sockets of one board or the coherence switches of two boards, and the core's 4 GB/s. No latency, no
// computing, no pages, no caches, no cost of the schedule: those SimGrid does not know.
//
// direct:  the thread starts a one-sided communication and waits for it.
// mailbox: an actor at the home's memory sends it; faster where thousands of flows end at once, since SimGrid keeps
//          one list of all one-sided communications.
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

// Bytes per second and bytes, times a million: SimGrid takes whole bytes, and the smallest package has a fraction.
constexpr double MILLION = 1e6;
constexpr double MEMORY = 15.6e9 * MILLION, SWITCH = 3.4e9 * MILLION, SOCKET_LINK = 12.8e9 * MILLION,
                 CORE = 4e9 * MILLION, ALL = 10e9 * MILLION;

struct Machine {
    int boards, sockets, cores;
    std::vector<s4u::Host*> memory, processor; // one for each socket

    int nodes() const { return boards * sockets; }
    int threads() const { return nodes() * cores; }

    void build()
    {
        auto* all = s4u::create_star_zone("machine");
        auto link = [](s4u::NetZone* zone, std::string name, double rate) {
            return zone->create_link(name, rate)->set_latency(0);
        };
        for (int board = 0; board < boards; board++) {
            const std::string name = "board" + std::to_string(board);
            auto* zone = s4u::create_full_zone(name)->set_parent(all);
            auto* gate = zone->create_router(name + "-gate");
            std::vector<s4u::Link*> controller, core;
            for (int socket = 0; socket < sockets; socket++) {
                const std::string here = name + "-" + std::to_string(socket);
                memory.push_back(zone->create_host(here + "-memory", 1e9)->seal());
                processor.push_back(zone->create_host(here, 1e9)->seal());
                controller.push_back(link(zone, here + "-controller", MEMORY)->seal());
                // Every core has one flow at a time, so one link that limits each flow stands for all cores.
                auto* each = link(zone, here + "-core", CORE);
                core.push_back(each->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->seal());
            }
            const int first = board * sockets;
            using Hop = s4u::LinkInRoute;
            for (int from = 0; from < sockets; from++) {
                auto* source = memory[first + from]->get_netpoint();
                zone->add_route(source, gate, nullptr, nullptr, {Hop(controller[from])}, false);
                auto* target = processor[first + from]->get_netpoint();
                zone->add_route(gate, target, nullptr, nullptr, {Hop(core[from])}, false);
                zone->add_route(source, target, nullptr, nullptr, {Hop(controller[from]), Hop(core[from])}, false);
                for (int to = 0; to < from; to++) {
                    auto* both = link(zone, name + "-" + std::to_string(from) + "-" + std::to_string(to), SOCKET_LINK);
                    both->seal();
                    for (auto [a, b] : {std::pair(from, to), std::pair(to, from)})
                        zone->add_route(memory[first + a]->get_netpoint(), processor[first + b]->get_netpoint(), nullptr,
                                        nullptr, {Hop(controller[a]), Hop(both), Hop(core[b])}, false);
                }
            }
            zone->seal();
            auto* out = link(all, name + "-switch", SWITCH)->seal();
            all->add_route(zone->get_netpoint(), nullptr, gate, nullptr, {Hop(out)}, true);
        }
        all->seal();
    }
};

// Which package a thread takes next.
class Schedule {
    std::string name;
    long packages, counter = 0;
    struct Range {
        long begin, end;
        long left() const { return end - begin; }
    };
    std::vector<Range> ranges;
    std::set<std::pair<long, int>> most; // minus what is left, thread

    void enter(int thread, long change_begin, long change_end)
    {
        auto& range = ranges[thread];
        most.erase({-range.left(), thread});
        range.begin += change_begin, range.end += change_end;
        most.insert({-range.left(), thread});
    }

public:
    Schedule(std::string name, long packages, int threads) : name(std::move(name)), packages(packages)
    {
        for (long thread = 0; thread < threads; thread++) {
            ranges.push_back({thread * packages / threads, (thread + 1) * packages / threads});
            if (this->name == "steal")
                most.insert({-ranges.back().left(), static_cast<int>(thread)});
        }
    }

    long next(int thread)
    {
        if (name == "dynamic")
            return counter < packages ? counter++ : -1;
        auto& own = ranges[thread];
        if (name == "static")
            return own.left() > 0 ? own.begin++ : -1;
        if (own.left() > 0) {
            enter(thread, 1, 0);
            return own.begin - 1;
        }
        const int victim = most.begin()->second;
        if (ranges[victim].left() == 0)
            return -1;
        enter(victim, 0, -1);
        return ranges[victim].end;
    }
};

} // namespace

int main(int count, char** arguments)
{
    s4u::Engine engine(&count, arguments);
    if (count != 7) {
        std::fprintf(stderr, "loadbal BOARDS SOCKETS CORES PACKAGES static|dynamic|steal direct|mailbox [--cfg=...]\n");
        return 2;
    }
    Machine machine{std::stoi(arguments[1]), std::stoi(arguments[2]), std::stoi(arguments[3]), {}, {}};
    const long packages = std::stol(arguments[4]);
    Schedule schedule(arguments[5], packages, machine.threads());
    machine.build();

    auto home = [&](long package) { return package * machine.nodes() / packages; };
    const double unit = ALL / (0.5 * packages * (packages + 1.0));
    auto bytes = [&](long package) { return static_cast<uint64_t>(std::llround(unit * (package + 1))); };

    struct Request {
        int thread;
        uint64_t bytes;
    };
    std::vector<std::deque<Request>> queue(machine.nodes());
    std::vector<s4u::SemaphorePtr> wanted;
    std::vector<s4u::CommPtr> under_way(machine.threads());
    static char nothing;
    const bool mailbox = arguments[6] == std::string("mailbox");
    for (int node = 0; mailbox && node < machine.nodes(); node++) {
        wanted.push_back(s4u::Semaphore::create(0));
        auto send = [&, node] {
            for (;;) {
                wanted[node]->acquire();
                const auto [thread, size] = queue[node].front();
                queue[node].pop_front();
                under_way[thread] = s4u::Mailbox::by_name(std::to_string(thread))->put_async(&nothing, size);
            }
        };
        s4u::Actor::create("memory", machine.memory[node], send)->daemonize();
    }
    for (int thread = 0; thread < machine.threads(); thread++) {
        auto* here = machine.processor[thread / machine.cores];
        auto direct = [&, thread, here] {
            for (long package; (package = schedule.next(thread)) >= 0;)
                s4u::Comm::sendto(machine.memory[home(package)], here, bytes(package));
        };
        auto asking = [&, thread] {
            auto* box = s4u::Mailbox::by_name(std::to_string(thread));
            for (long package; (package = schedule.next(thread)) >= 0;) {
                queue[home(package)].push_back({thread, bytes(package)});
                wanted[home(package)]->release();
                box->get<char>();
            }
        };
        mailbox ? s4u::Actor::create("thread", here, asking) : s4u::Actor::create("thread", here, direct);
    }
    engine.run();
    std::printf("makespan %.9g s\n", s4u::Engine::get_clock());
}
