package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.Severity;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The unhealthy containers of many nodes, as the nodes' agents answer. A node may be compromised:
 * nodes, rows, texts and time are bounded, and the rest is counted.
 *
 * @param asked how many nodes were asked
 * @param containers the unhealthy containers, worst first
 * @param more how many unhealthy containers are left out
 * @param unanswered the nodes whose agent gave no answer, and why
 */
@JsonPropertyOrder({"nodes", "asked", "containers", "more", "unanswered"})
public record FleetContainers(
    int nodes, int asked, List<Row> containers, int more, List<Unanswered> unanswered) {
  private static final int AT_ONCE = 8;
  private static final int MAX_MESSAGE = 200;

  /** Those that do not run first, then by restarts. */
  private static final Comparator<Row> WORST_FIRST =
      Comparator.comparing((Row row) -> row.state().equals("Running"))
          .thenComparing(Comparator.comparingInt(Row::restartCount).reversed());

  /**
   * How many are asked and listed at most.
   *
   * @param nodes nodes that are asked
   * @param ofNode containers of one node
   * @param rows containers of all nodes
   * @param time until the last answer
   */
  public record Extent(int nodes, int ofNode, int rows, Duration time) {
    /** For a first look. */
    public static final Extent WORST = new Extent(100, 50, 200, Duration.ofSeconds(15));

    /** For a full list. */
    public static final Extent ALL = new Extent(1_000, 500, 5_000, Duration.ofSeconds(60));
  }

  /** Keeps unmodifiable copies. */
  public FleetContainers {
    containers = List.copyOf(containers);
    unanswered = List.copyOf(unanswered);
  }

  /**
   * An unhealthy container.
   *
   * @param state one word such as CrashLoopBackOff
   * @param restartCount instances before this one
   * @param cause why, in words; messages of tenants are quoted
   */
  @JsonPropertyOrder({"node", "namespace", "pod", "container", "state", "restartCount", "cause"})
  public record Row(
      String node,
      String namespace,
      String pod,
      String container,
      String state,
      int restartCount,
      String cause) {}

  /** A node whose agent gave no answer. */
  @JsonPropertyOrder({"node", "why"})
  public record Unanswered(String node, String why) {}

  /** Asks single agents; may block, and is called by several threads at once. */
  @FunctionalInterface
  public interface Agents {
    /**
     * {@return the containers of a node}
     *
     * @param history how many past outcomes of each probe are wanted
     * @throws IOException if there was no answer; the message is for the user
     * @throws InterruptedException if the caller is interrupted meanwhile
     */
    List<ContainerView> containers(String node, int history)
        throws IOException, InterruptedException;
  }

  /** The answer of one node. */
  private record Answer(String node, List<Row> rows, int more, String failure) {}

  /**
   * Asks the agents of a cluster, those of the worst nodes first.
   *
   * @param agents asked for each node
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public static FleetContainers ask(FleetView view, Agents agents, Extent extent)
      throws InterruptedException {
    List<String> wanted =
        view.nodes().stream()
            .sorted(Comparator.comparing(FleetNode::state)) // keeps the order of equals
            .limit(extent.nodes())
            .map(FleetNode::name)
            .toList();
    List<Callable<Answer>> questions = new ArrayList<>();
    wanted.forEach(node -> questions.add(() -> ask(node, agents, extent.ofNode(), view.time())));
    List<Future<Answer>> answers;
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofVirtual().name("fleet-containers-", 0).factory())) {
      answers = threads.invokeAll(questions, extent.time().toMillis(), TimeUnit.MILLISECONDS);
    }
    List<Row> rows = new ArrayList<>();
    List<Unanswered> unanswered = new ArrayList<>();
    int more = 0;
    for (int i = 0; i < wanted.size(); i++) {
      Future<Answer> future = answers.get(i);
      if (future.state() != Future.State.SUCCESS) {
        unanswered.add(
            new Unanswered(wanted.get(i), "no answer within " + extent.time().toSeconds() + " s"));
        continue;
      }
      Answer answer = future.resultNow();
      if (!answer.failure().isEmpty()) {
        unanswered.add(new Unanswered(answer.node(), answer.failure()));
      }
      rows.addAll(answer.rows());
      more += answer.more();
    }
    List<Row> shown = rows.stream().sorted(WORST_FIRST).limit(extent.rows()).toList();
    return new FleetContainers(
        view.nodes().size(), wanted.size(), shown, more + rows.size() - shown.size(), unanswered);
  }

  private static Answer ask(String node, Agents agents, int limit, Instant now)
      throws InterruptedException {
    try {
      List<ContainerView> broken =
          ContainerHealth.worstFirst(agents.containers(node, 1)).stream()
              .filter(each -> ContainerHealth.of(each).severity() == Severity.UNHEALTHY)
              .toList();
      List<Row> rows = broken.stream().limit(limit).map(each -> row(node, each, now)).toList();
      return new Answer(node, rows, broken.size() - rows.size(), "");
    } catch (IOException failed) {
      String why = FleetText.of(String.valueOf(failed.getMessage()), FleetText.SENTENCE);
      return new Answer(node, List.of(), 0, why.isEmpty() ? "no answer" : why);
    } catch (RuntimeException hostile) { // an answer may lack anything
      return new Answer(node, List.of(), 0, "unexpected response");
    }
  }

  private static Row row(String node, ContainerView container, Instant now) {
    UnaryOperator<String> ago = time -> FleetText.of(time, FleetText.NAME);
    List<String> causes = new ArrayList<>();
    causes.add(ContainerCause.failing(container, MAX_MESSAGE));
    causes.addAll(ContainerCause.warnings(container, MAX_MESSAGE));
    if (ContainerCause.matters(container, now)) {
      causes.addAll(ContainerCause.phrases(container, ago, MAX_MESSAGE));
    }
    causes.removeIf(String::isEmpty);
    String cause =
        causes.isEmpty() ? ContainerHealth.of(container).words() : String.join("; ", causes);
    return new Row(
        node,
        FleetText.of(container.namespace(), FleetText.NAME),
        FleetText.of(container.pod(), FleetText.NAME),
        FleetText.of(container.container(), FleetText.NAME),
        FleetText.of(container.state(), FleetText.NAME),
        container.restartCount(),
        FleetText.of(cause, FleetText.SENTENCE));
  }

  /** {@return how many nodes answered} */
  int answered() {
    return asked - unanswered.size();
  }

  /** {@return whether all nodes answered} */
  public boolean complete() {
    return asked == nodes && unanswered.isEmpty();
  }

  /** {@return in one sentence how many containers are unhealthy, on how many nodes} */
  public String summary() {
    int broken = containers.size() + more;
    return "%d unhealthy container%s on %d of %d nodes%s"
        .formatted(
            broken,
            broken == 1 ? "" : "s",
            answered(),
            nodes,
            complete()
                ? ""
                : "; %d gave no answer, %d were not asked"
                    .formatted(unanswered.size(), nodes - asked));
  }
}
