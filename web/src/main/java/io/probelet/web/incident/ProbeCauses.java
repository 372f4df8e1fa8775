package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;

import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.incident.Cause.Confidence;
import io.probelet.web.incident.OwnWords.Complaint;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges why a probe failed. What the kernel counted decides first, then the phases of the probe,
 * and the container's own words last.
 *
 * <pre>
 *   refused at once     → wrong port, slow start, no longer listening
 *   timed out           → CPU limit, node, memory, stopped, disk, hang, busy
 *   an answer           → wrong path, unhealthy by its own account, TLS, DNS
 * </pre>
 */
final class ProbeCauses {
  /** As the throttle gate's: the limit stopped it in most of the time. */
  private static final int MOSTLY = 50;

  /** A node whose tasks wait for so much of the time starves them. */
  private static final int STARVED = 60;

  /** Waiting for memory or disks hurts sooner than waiting for a CPU. */
  private static final int PRESSED = 40;

  /** Thousandths of a core that a hanging server may still use, for its timers. */
  private static final long IDLE_MILLIS = 20;

  /** Thousandths of a core from which on it is busy. */
  private static final long BUSY_MILLIS = 500;

  private final Incident incident;
  private final ProbeFacts probe;
  private final List<OutcomeFacts> failures;
  private final KernelFacts kernel;
  private final List<String> evidence = new ArrayList<>();

  private ProbeCauses(Incident incident, ProbeFacts probe) {
    this.incident = incident;
    this.probe = probe;
    KernelFacts known = incident.kernel();
    kernel = known == null ? KernelFacts.UNKNOWN : known;
    failures =
        probe.outcomes().stream()
            .filter(outcome -> outcome.result().equals(OutcomeFacts.FAILED))
            .toList();
  }

  /** {@return the cause of a probe's failure} */
  static Cause of(Incident incident, ProbeFacts probe) {
    return new ProbeCauses(incident, probe).judge();
  }

  private Cause judge() {
    if (failures.isEmpty()) {
      return probe.outcomes().isEmpty()
          ? EndCauses.unknown(prefix())
          : cause(
              CauseType.PROBER_STALLED,
              CERTAIN,
              "the prober could not work: " + quoted(probe.outcomes().getLast()),
              "Look at the agent's own health: probelet top");
    }
    noteFacts();
    Optional<Cause> memory = killedForMemory();
    if (memory.isPresent()) {
      return memory.get();
    }
    String cause = failures.getLast().cause();
    long same = failures.stream().filter(each -> each.cause().equals(cause)).count();
    if (same * 2 <= failures.size()) {
      return unclear("its probe failed in several ways, last: " + quoted(failures.getLast()));
    }
    return switch (cause) {
      case "timeout" -> timedOut();
      case "connect" -> failures.getLast().definite() ? refused() : timedOut();
      case "resolve" ->
          cause(
              CauseType.DNS,
              CERTAIN,
              "the name that it probes cannot be resolved: " + quoted(failures.getLast()),
              "Check the probe's host and the node's DNS");
      case "tls" -> tls();
      case "status" -> status();
      case "exit_code" -> exitCode();
      default -> answered();
    };
  }

  private Optional<Cause> killedForMemory() {
    if (kernel.oomKills() == null || kernel.oomKills() == 0) {
      return Optional.empty();
    }
    Long limit = kernel.memoryLimit();
    String at = limit == null || limit == 0 ? "" : " at its limit of " + EndCauses.mebi(limit);
    return Optional.of(
        cause(
            CauseType.MEMORY_LIMIT,
            CERTAIN,
            "the kernel killed %d of its processes for lack of memory%s"
                .formatted(kernel.oomKills(), at),
            "Raise the memory limit, or find what uses the memory"));
  }

  private Cause refused() {
    String port = probe.port() == 0 ? "its port" : "port " + probe.port();
    List<Integer> listening = kernel.listening();
    if (listening != null
        && !listening.isEmpty()
        && !listening.contains(probe.port())
        && !probe.succeeded()) {
      return cause(
          CauseType.WRONG_PORT,
          LIKELY, // a server may open one port before another
          "nothing listens on %s; it listens on %s".formatted(port, ports(listening)),
          "Correct the probe's port, or allow for a longer start");
    }
    if (listening != null && listening.contains(probe.port())) {
      return cause(
          CauseType.NOT_LISTENING,
          LIKELY,
          "%s refuses connections, although its pod listens on it: the address is another one"
              .formatted(port),
          "Check the address that the server binds, and the probe's host");
    }
    if (probe.succeeded()) {
      return cause(
          CauseType.NOT_LISTENING,
          CERTAIN,
          "it no longer listens on %s, although it still runs".formatted(port),
          "Look at its log for the end of the server");
    }
    Optional<Complaint> complaint = OwnWords.of(incident);
    if (complaint.isPresent()) {
      return complained(complaint.get());
    }
    boolean none = listening != null && listening.isEmpty();
    if (probe.succeededBefore() || (none && works())) {
      return slowStart(port);
    }
    return cause(
        CauseType.SLOW_START,
        none ? LIKELY : UNCLEAR,
        "nothing has listened on %s since its start%s"
            .formatted(port, none ? "" : ": the port is wrong, or it starts slowly"),
        none ? startAdvice() : "Check the port, then " + lower(startAdvice()));
  }

  private static String ports(List<Integer> listening) {
    return listening.stream().map(String::valueOf).limit(5).collect(Collectors.joining(", "));
  }

  /** {@return whether it used CPU while the probe failed} */
  private boolean works() {
    return kernel.cpuMillis() != null && kernel.cpuMillis() > IDLE_MILLIS;
  }

  private Cause slowStart(String port) {
    Long start = probe.startMs();
    return cause(
        CauseType.SLOW_START,
        LIKELY,
        "it had not finished its start, nothing listened on %s yet%s"
            .formatted(port, start == null ? "" : "; an earlier start took " + seconds(start)),
        startAdvice());
  }

  private String startAdvice() {
    return probe.hasStartup()
        ? "Raise the startup probe's failureThreshold"
        : "Add a startup probe that allows for the whole start";
  }

  private Cause timedOut() {
    if (atLeast(kernel.throttledPercent(), MOSTLY)) {
      return cause(
          CauseType.CPU_LIMIT,
          LIKELY, // an endless loop reaches its limit, too
          "throttled %d %% of the time at its CPU limit of %dm%s"
              .formatted(kernel.throttledPercent(), kernel.cpuLimitMillis(), usually()),
          "Raise the limit or " + timeoutAdvice() + ", or find what uses the CPU");
    }
    Optional<Cause> byThreads = threads();
    if (byThreads.isPresent()) {
      return byThreads.get();
    }
    Optional<Cause> byNode = starved();
    if (byNode.isPresent()) {
      return byNode.get();
    }
    if (probe.handler().equals("exec")) {
      return unclear("the probe's command did not end in " + millis(probe.timeoutMs()));
    }
    boolean connected = failures.getLast().connected();
    if (kernel.cpuMillis() != null && kernel.windowMs() > 0) {
      if (kernel.cpuMillis() >= BUSY_MILLIS || isNearLimit()) {
        return cause(
            CauseType.BUSY,
            LIKELY,
            "it used %dm of CPU and did not answer in %s%s"
                .formatted(kernel.cpuMillis(), millis(probe.timeoutMs()), usually()),
            "Find what keeps it busy, or " + timeoutAdvice());
      }
      if (kernel.cpuMillis() <= IDLE_MILLIS && connected) {
        return hang();
      }
    }
    return unclear(
        connected
            ? "it did not answer in " + millis(probe.timeoutMs()) + usually()
            : "it did not accept a connection in " + millis(probe.timeoutMs()));
  }

  private boolean isNearLimit() {
    Long limit = kernel.cpuLimitMillis();
    Long used = kernel.cpuMillis();
    return limit != null && used != null && used > IDLE_MILLIS && used * 10 >= limit * 8;
  }

  private Cause hang() {
    ThreadStates threads = kernel.threads();
    String all =
        threads != null && threads.total() > 0 && threads.sleeping() == threads.total()
            ? "; all of its %d threads wait".formatted(threads.total())
            : "";
    if (!probe.succeeded() && !probe.succeededBefore()) {
      return cause(
          CauseType.HANG,
          LIKELY,
          "it accepts the probe but has never answered, and used no CPU" + all,
          "Check that the probe's port and protocol are right, then take a thread dump");
    }
    return cause(
        CauseType.HANG,
        threads == null ? LIKELY : CERTAIN,
        "it hangs: it did not answer in %s and used no CPU%s"
            .formatted(millis(probe.timeoutMs()), all),
        "Take a thread dump before the next restart");
  }

  /** {@return whether none of its threads wants to run} */
  private boolean sleeps() {
    ThreadStates threads = kernel.threads();
    return threads != null && threads.total() > 0 && threads.running() == 0;
  }

  private Optional<Cause> threads() {
    ThreadStates threads = kernel.threads();
    if (threads == null || threads.total() == 0) {
      return Optional.empty();
    }
    if (threads.stopped() > 0 && threads.running() == 0 && threads.sleeping() == 0) {
      return Optional.of(
          cause(
              CauseType.STOPPED_PROCESS,
              CERTAIN,
              "all of its %d threads are stopped by a signal or a debugger"
                  .formatted(threads.stopped()),
              "Find who sent SIGSTOP"));
    }
    Long used = kernel.cpuMillis();
    boolean idle = used == null || used < BUSY_MILLIS;
    if (threads.uninterruptible() > 0 && idle) {
      return Optional.of(
          cause(
              CauseType.BLOCKED_ON_IO,
              threads.uninterruptible() * 2 >= threads.total() ? CERTAIN : LIKELY,
              "%d of its %d threads wait for a disk or a network file system"
                  .formatted(threads.uninterruptible(), threads.total()),
              "Check its volumes and the node's disks"));
    }
    return Optional.empty();
  }

  private Optional<Cause> starved() {
    IncidentNode node = incident.node();
    Integer own = kernel.cpuWaitPercent();
    boolean wantsCpu = own == null ? !sleeps() : own >= MOSTLY;
    if (atLeast(node.cpuWaitPercent(), STARVED) && wantsCpu) {
      if (own == null && works()) {
        return Optional.of(
            cause(
                CauseType.NODE_CPU,
                UNCLEAR,
                "it was busy, and the node had too little CPU: tasks waited for one %d %% of the time"
                    .formatted(node.cpuWaitPercent()),
                "Move load from the node, then see whether it still fails"));
      }
      return Optional.of(
          cause(
              CauseType.NODE_CPU,
              own == null ? LIKELY : CERTAIN,
              "the node had too little CPU: tasks waited for one %d %% of the time%s"
                  .formatted(
                      node.cpuWaitPercent(),
                      own == null ? "" : ", those of this container " + own + " %"),
              "Raise its CPU request, or move load from the node"));
    }
    boolean unread = kernel.equals(KernelFacts.UNKNOWN);
    Integer io = unread ? node.ioWaitPercent() : kernel.ioWaitPercent();
    Integer memory = unread ? node.memoryWaitPercent() : kernel.memoryWaitPercent();
    if (atLeast(memory, PRESSED)) {
      return Optional.of(
          cause(
              CauseType.NODE_PRESSURE,
              LIKELY,
              "its tasks waited for memory %d %% of the time".formatted(memory),
              "Raise its memory limit, or look at the node's memory"));
    }
    if (atLeast(io, PRESSED)) {
      return Optional.of(
          cause(
              CauseType.BLOCKED_ON_IO,
              LIKELY,
              "its tasks waited for a disk %d %% of the time".formatted(io),
              "Check its volumes and the node's disks"));
    }
    return Optional.empty();
  }

  private static boolean atLeast(@Nullable Integer percent, int least) {
    return percent != null && percent >= least;
  }

  private Cause tls() {
    String expiry = probe.certificateExpiry();
    boolean expired =
        expiry != null
            && Rfc3339.readOrEpoch(expiry).isBefore(Rfc3339.readOrEpoch(incident.time()));
    return expired
        ? cause(
            CauseType.TLS_EXPIRED,
            CERTAIN,
            "its certificate expired on " + expiry,
            "Renew the certificate")
        : cause(
            CauseType.TLS,
            LIKELY,
            "the TLS handshake failed: " + quoted(failures.getLast()),
            "Check the server's certificate and the probe's scheme");
  }

  private Cause status() {
    OutcomeFacts last = failures.getLast();
    boolean never = !probe.succeeded() && !probe.succeededBefore();
    int code = last.code();
    if (code >= 400 && code < 500) {
      return cause(
          CauseType.WRONG_PATH,
          LIKELY, // some servers answer so until they have started
          "it answers the probe with HTTP status %d%s"
              .formatted(code, never ? ", and has never answered otherwise" : ""),
          "Check the probe's path, method and headers");
    }
    return OwnWords.of(incident).map(this::complained).orElseGet(this::reported);
  }

  private Cause reported() {
    OutcomeFacts last = failures.getLast();
    return cause(
        CauseType.REPORTED_UNHEALTHY,
        CERTAIN,
        last.code() > 0 && !probe.handler().equals("exec")
            ? "it answers that it is not healthy (HTTP status " + last.code() + ")"
            : "it answers that it is not healthy: " + quoted(last),
        "Look at its log");
  }

  private Cause complained(Complaint complaint) {
    return cause(
        complaint.type(),
        LIKELY,
        "the container itself says: " + complaint.quoted(),
        EndCauses.advice(complaint.type()));
  }

  private Cause exitCode() {
    OutcomeFacts last = failures.getLast();
    boolean never = !probe.succeeded() && !probe.succeededBefore();
    if ((last.code() == 126 || last.code() == 127) && never) {
      return cause(
          CauseType.PROGRAM_MISSING,
          LIKELY,
          "the probe's command ends with exit code %d and has never succeeded: %s"
              .formatted(last.code(), quoted(last)),
          "Check the probe's command against the image");
    }
    return OwnWords.of(incident).map(this::complained).orElseGet(this::reported);
  }

  private Cause answered() {
    return cause(
        CauseType.REPORTED_UNHEALTHY,
        LIKELY,
        "its answer is not what the probe expects: " + quoted(failures.getLast()),
        "Compare the answer with the probe's settings");
  }

  private Cause unclear(String what) {
    return cause(CauseType.UNKNOWN, UNCLEAR, what, "");
  }

  /** Facts that are shown beside the cause, whatever it is. */
  private void noteFacts() {
    OutcomeFacts last = failures.getLast();
    evidence.add("last answer: " + quoted(last));
    note(kernel.throttledPercent(), "throttled %d %% of the time");
    note(kernel.cpuMillis(), "used %dm of CPU");
    note(kernel.cpuWaitPercent(), "waited for a CPU %d %% of the time");
    note(kernel.memoryWaitPercent(), "waited for memory %d %% of the time");
    note(kernel.ioWaitPercent(), "waited for a disk %d %% of the time");
    ThreadStates threads = kernel.threads();
    if (threads != null) {
      evidence.add(
          "threads: %d running, %d waiting, %d blocked on I/O, %d stopped"
              .formatted(
                  threads.running(),
                  threads.sleeping(),
                  threads.uninterruptible(),
                  threads.stopped()));
    }
    if (kernel.listening() != null) {
      evidence.add(
          "listens on: " + (kernel.listening().isEmpty() ? "nothing" : ports(kernel.listening())));
    }
    IncidentNode node = incident.node();
    note(node.cpuWaitPercent(), "tasks of the node waited for a CPU %d %% of the time");
    if (!node.conditions().isEmpty()) {
      evidence.add("node: " + String.join(", ", node.conditions()));
    }
    if (node.failing() > 0) {
      evidence.add(
          "%d of the %d other containers of the node failed, too"
              .formatted(node.failing(), Math.max(node.failing(), node.containers() - 1)));
    }
  }

  private void note(@Nullable Number value, String fact) {
    if (value != null) {
      evidence.add(fact.formatted(value));
    }
  }

  private String usually() {
    Double usual = probe.usualMs();
    return usual == null ? "" : "; it usually answers in " + millis((long) Math.ceil(usual));
  }

  private String timeoutAdvice() {
    return "raise timeoutSeconds above " + Math.max(1, probe.timeoutMs() / 1000);
  }

  private static String millis(long millis) {
    return millis < 1000 ? millis + " ms" : seconds(millis);
  }

  private static String seconds(long millis) {
    return millis % 1000 == 0
        ? millis / 1000 + " s"
        : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  private static String lower(String sentence) {
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
  }

  private static String quoted(OutcomeFacts outcome) {
    return ContainerCause.quoted(outcome.message(), 160);
  }

  private String prefix() {
    int count = Math.max(failures.size(), probe.threshold());
    String what =
        !failures.isEmpty() && failures.stream().allMatch(each -> each.cause().equals("timeout"))
            ? "timeout"
            : "failure";
    String after = " after %d %s%s".formatted(count, what, count == 1 ? "" : "s");
    return switch (incident.kind()) {
      case KILLED -> "Killed by " + probe.kind() + after;
      case EVICTED -> "Evicted by " + probe.kind() + after;
      case HELD -> "Restart by " + probe.kind() + " on hold" + after;
      case UNREADY -> "Not ready" + after;
      default -> probe.kind() + " failed" + after;
    };
  }

  private Cause cause(CauseType type, Confidence confidence, String reason, String advice) {
    return new Cause(type, confidence, prefix() + ": " + reason, advice, List.copyOf(evidence));
  }
}
