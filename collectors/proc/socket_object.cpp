#include <algorithm>
#include <array>
#include <iterator>

#include "collectors/proc/object_table.hpp"
#include "collectors/proc/socket_part.hpp"

namespace countertop::proc {
namespace {

constexpr auto kRate = CounterType::bulk_count;
constexpr auto kGauge = CounterType::large_raw_count;

constexpr CounterRow kTcp[] = {
    {"received segments/s", "1/s", kRate, "Tcp InSegs", "", 1,
     "TCP segments received, damaged ones included. Source: /proc/net/snmp, Tcp InSegs."},
    {"sent segments/s", "1/s", kRate, "Tcp OutSegs", "", 1,
     "TCP segments sent, those that were only sent again left out. Source: /proc/net/snmp, Tcp OutSegs."},
    {"retransmits/s", "1/s", kRate, "Tcp RetransSegs", "", 1,
     "Segments sent again because nobody confirmed them in time: packets got lost, or the other side is "
     "slow. Source: /proc/net/snmp, Tcp RetransSegs."},
    {"retransmits %", "%", CounterType::sample_fraction, "Tcp RetransSegs", "Tcp OutSegs", 1,
     "Segments sent again in percent of those sent. Source: /proc/net/snmp, Tcp RetransSegs over OutSegs. No "
     "value where nothing was sent; may pass 100 %."},
    {"connections opened/s", "1/s", kRate, "Tcp ActiveOpens", "", 1,
     "Connections this machine began. Source: /proc/net/snmp, Tcp ActiveOpens."},
    {"connections accepted/s", "1/s", kRate, "Tcp PassiveOpens", "", 1,
     "Connections others began with this machine. Source: /proc/net/snmp, Tcp PassiveOpens."},
    {"failed connections/s", "1/s", kRate, "Tcp AttemptFails", "", 1,
     "Connections that came to nothing. Source: /proc/net/snmp, Tcp AttemptFails."},
    {"resets/s", "1/s", kRate, "Tcp EstabResets", "", 1,
     "Connections that ended by a reset. Source: /proc/net/snmp, Tcp EstabResets."},
    {"sent resets/s", "1/s", kRate, "Tcp OutRsts", "", 1,
     "Segments with a reset that this machine sent. Source: /proc/net/snmp, Tcp OutRsts."},
    {"receive errors/s", "1/s", kRate, "Tcp InErrs", "", 1,
     "Segments received that were damaged. Source: /proc/net/snmp, Tcp InErrs."},
    {"established", "", kGauge, "Tcp CurrEstab", "", 1,
     "Connections that are open, also those the other side has closed (CLOSE-WAIT). Source: /proc/net/snmp, "
     "Tcp CurrEstab, IPv4 and IPv6 together."},
    {"sockets used", "", kGauge, "TCP inuse + TCP6 inuse", "", 1,
     "TCP sockets in use, listening ones included, those in time-wait left out. Source: /proc/net/sockstat "
     "and sockstat6, inuse."},
    {"sockets allocated", "", kGauge, "TCP alloc", "", 1,
     "TCP sockets that take memory, in whatever state. Source: /proc/net/sockstat, TCP alloc. Growth without "
     "end points to sockets that are never closed."},
    {"orphans", "", kGauge, "TCP orphan", "", 1,
     "Connections that no process holds any more, and that still have data to send. Source: "
     "/proc/net/sockstat, TCP orphan."},
    {"time wait", "", kGauge, "TCP tw", "", 1,
     "Closed connections kept for a minute so that late packets do no harm. Source: /proc/net/sockstat, TCP "
     "tw."},
    {"listen overflows/s", "1/s", kRate, "TcpExt ListenOverflows", "", 1,
     "Connections refused because a program did not accept fast enough (its backlog was full). Source: "
     "/proc/net/netstat, TcpExt ListenOverflows."},
    {"listen drops/s", "1/s", kRate, "TcpExt ListenDrops", "", 1,
     "Connections dropped by a listening socket for any reason, overflows included. Source: "
     "/proc/net/netstat, TcpExt ListenDrops."},
    {"timeouts/s", "1/s", kRate, "TcpExt TCPTimeouts", "", 1,
     "Times a sender waited for a confirmation until its timer ran out. Source: /proc/net/netstat, TcpExt "
     "TCPTimeouts."},
    {"fast retransmits/s", "1/s", kRate, "TcpExt TCPFastRetrans", "", 1,
     "Segments sent again as soon as later ones were confirmed. Source: /proc/net/netstat, TcpExt "
     "TCPFastRetrans."},
    {"lost retransmits/s", "1/s", kRate, "TcpExt TCPLostRetransmit", "", 1,
     "Segments sent again that got lost again. Source: /proc/net/netstat, TcpExt TCPLostRetransmit."},
    {"syn retransmits/s", "1/s", kRate, "TcpExt TCPSynRetrans", "", 1,
     "First segments of connections sent again: the other side does not answer. Source: /proc/net/netstat, "
     "TcpExt TCPSynRetrans (Linux 3.10 and later)."},
    {"syn cookies/s", "1/s", kRate, "TcpExt SyncookiesSent", "", 1,
     "Answers without memory because the queue of half-open connections was full. Source: /proc/net/netstat, "
     "TcpExt SyncookiesSent."},
    {"aborts without memory/s", "1/s", kRate, "TcpExt TCPAbortOnMemory", "", 1,
     "Connections given up because TCP had no memory. Source: /proc/net/netstat, TcpExt TCPAbortOnMemory."},
    {"aborts on timeout/s", "1/s", kRate, "TcpExt TCPAbortOnTimeout", "", 1,
     "Connections given up because the other side no longer answered. Source: /proc/net/netstat, TcpExt "
     "TCPAbortOnTimeout."},
    {"backlog drops/s", "1/s", kRate, "TcpExt TCPBacklogDrop", "", 1,
     "Segments dropped because a socket's queue was full. Source: /proc/net/netstat, TcpExt TCPBacklogDrop."},
    {"receive collapses/s", "1/s", kRate, "TcpExt TCPRcvCollapsed", "", 1,
     "Segments put together because a receive buffer ran full: a program reads too slowly. Source: "
     "/proc/net/netstat, TcpExt TCPRcvCollapsed."},
    {"zero windows/s", "1/s", kRate, "TcpExt TCPToZeroWindowAdv", "", 1,
     "Times this machine told others to stop sending, as a program reads too slowly. Source: "
     "/proc/net/netstat, TcpExt TCPToZeroWindowAdv (Linux 3.14 and later)."},
};

}  // namespace

ObjectHandle make_tcp_object(std::int64_t page_bytes) {
  std::array<CounterRow, std::size(kTcp) + 1> counters{};
  std::ranges::copy(kTcp, counters.begin());
  counters.back() = {"memory",
                     "bytes",
                     kGauge,
                     "TCP mem",
                     "",
                     static_cast<double>(page_bytes),
                     "Memory in buffers of TCP sockets. Source: /proc/net/sockstat, TCP mem, in pages."};
  return make_object("tcp", "TCP of this machine's network, IPv4 and IPv6 together.", Instances::one, {},
                     counters);
}

ObjectHandle make_udp_object(std::int64_t page_bytes) {
  const std::array counters = {
      CounterRow{"received datagrams/s", "1/s", kRate, "Udp InDatagrams + Udp6InDatagrams", "", 1,
                 "Datagrams handed to programs. Source: /proc/net/snmp, Udp InDatagrams, and "
                 "/proc/net/snmp6, Udp6InDatagrams."},
      CounterRow{"sent datagrams/s", "1/s", kRate, "Udp OutDatagrams + Udp6OutDatagrams", "", 1,
                 "Datagrams sent. Source: /proc/net/snmp, Udp OutDatagrams, and snmp6, Udp6OutDatagrams."},
      CounterRow{"no port/s", "1/s", kRate, "Udp NoPorts + Udp6NoPorts", "", 1,
                 "Datagrams for a port where nobody listens. Source: /proc/net/snmp, Udp NoPorts, and snmp6, "
                 "Udp6NoPorts."},
      CounterRow{"receive errors/s", "1/s", kRate, "Udp InErrors + Udp6InErrors", "", 1,
                 "Datagrams that could not be handed over, full buffers and wrong checksums included. "
                 "Source: /proc/net/snmp, Udp InErrors, and snmp6, Udp6InErrors."},
      CounterRow{"receive buffer errors/s", "1/s", kRate, "Udp RcvbufErrors + Udp6RcvbufErrors", "", 1,
                 "Datagrams lost because a program reads too slowly. Source: /proc/net/snmp, Udp "
                 "RcvbufErrors, and snmp6, Udp6RcvbufErrors."},
      CounterRow{"send buffer errors/s", "1/s", kRate, "Udp SndbufErrors + Udp6SndbufErrors", "", 1,
                 "Datagrams not sent because the buffer was full. Source: /proc/net/snmp, Udp SndbufErrors, "
                 "and snmp6, Udp6SndbufErrors."},
      CounterRow{"checksum errors/s", "1/s", kRate, "Udp InCsumErrors + Udp6InCsumErrors", "", 1,
                 "Datagrams with a wrong checksum. Source: /proc/net/snmp, Udp InCsumErrors, and snmp6, "
                 "Udp6InCsumErrors (Linux 3.10 and later)."},
      CounterRow{"sockets used", "", kGauge, "UDP inuse + UDP6 inuse", "", 1,
                 "UDP sockets. Source: /proc/net/sockstat, UDP inuse, and sockstat6, UDP6 inuse."},
      CounterRow{"memory", "bytes", kGauge, "UDP mem", "", static_cast<double>(page_bytes),
                 "Memory in buffers of UDP sockets. Source: /proc/net/sockstat, UDP mem, in pages."},
  };
  return make_object("udp", "UDP of this machine's network, IPv4 and IPv6 together, UDP-Lite left out.",
                     Instances::one, {}, counters);
}

}  // namespace countertop::proc
