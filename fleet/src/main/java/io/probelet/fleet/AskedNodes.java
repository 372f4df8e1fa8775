package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.FailureReason;
import io.probelet.health.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Which agents of a cluster answered a question.
 *
 * @param nodes how many nodes there are
 * @param asked how many were asked, at most 1,000
 * @param unanswered the nodes whose agent gave no answer, and why
 */
@JsonPropertyOrder({"nodes", "asked", "unanswered"})
public record AskedNodes(int nodes, int asked, List<Unanswered> unanswered) {
  /** Nodes that are asked. */
  static final int MAX_NODES = 1_000;

  private static final int AT_ONCE = 8;
  private static final int MAX_WHY = 1_024;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Keeps an unmodifiable copy. */
  public AskedNodes {
    unanswered = List.copyOf(unanswered);
  }

  /** A node whose agent gave no answer. */
  @JsonPropertyOrder({"node", "why"})
  public record Unanswered(String node, String why) {}

  /**
   * Asks single agents; may block, and is called by several threads at once.
   *
   * @param <T> what they answer
   */
  @FunctionalInterface
  public interface Agents<T> {
    /**
     * {@return a node's answer}
     *
     * @param node its name
     * @throws IOException if there was no answer; the message is for the user
     * @throws InterruptedException if the caller is interrupted meanwhile
     */
    T ask(String node) throws IOException, InterruptedException;
  }

  /**
   * Asks the agents of nodes, for at most two minutes.
   *
   * @param into takes the answers with their nodes, one at a time
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public static <T> AskedNodes ask(List<String> nodes, Agents<T> agents, BiConsumer<String, T> into)
      throws InterruptedException {
    List<String> wanted = nodes.stream().limit(MAX_NODES).toList();
    List<Callable<String>> questions = new ArrayList<>();
    for (String node : wanted) {
      questions.add(() -> {
        try {
          T answer = agents.ask(node);
          synchronized (into) {
            into.accept(node, answer);
          }
          return "";
        } catch (IOException noAnswer) {
          return OneLine.of(FailureReason.of(noAnswer), MAX_WHY);
        }
      });
    }
    List<Future<String>> answers;
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofVirtual().name("fleet-question-", 0).factory())) {
      answers = threads.invokeAll(questions, LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
    List<Unanswered> unanswered = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Future<String> answer = answers.get(i);
      String why =
          answer.state() == Future.State.SUCCESS
              ? answer.resultNow()
              : "no answer within " + LIMIT.toSeconds() + " s";
      if (!why.isEmpty()) {
        unanswered.add(new Unanswered(wanted.get(i), why));
      }
    }
    return new AskedNodes(nodes.size(), wanted.size(), unanswered);
  }

  /** {@return whether all nodes answered} */
  public boolean complete() {
    return asked == nodes && unanswered.isEmpty();
  }
}
