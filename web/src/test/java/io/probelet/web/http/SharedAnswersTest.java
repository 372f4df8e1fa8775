package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.web.http.Resource.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Answers made once for several; the threads are a queue that the test empties. */
class SharedAnswersTest {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final SharedAnswers answers = new SharedAnswers(tasks::add);
  private final List<String> given = new ArrayList<>();
  private int made;

  private void ask(String who, String key) {
    ask(
        who,
        key,
        () -> {
          made++;
          return Answer.of(200 + made, Resource.TEXT, "");
        });
  }

  private void ask(String who, String key, Supplier<Answer> maker) {
    answers.get(key, maker, answer -> given.add(who + " " + answer.status()));
  }

  private void run() {
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }

  @Test
  void oneAnswerIsMadeForAllWhoAskMeanwhile() {
    ask("a", "/livez");
    ask("b", "/livez");
    ask("c", "/readyz");
    run();
    assertThat(given).containsExactlyInAnyOrder("a 201", "b 201", "c 202");
  }

  @Test
  void whoAsksLaterGetsNewAnswer() {
    ask("a", "/livez");
    run();
    ask("b", "/livez");
    run();
    assertThat(given).containsExactly("a 201", "b 202");
  }

  @Test
  void laterRequestsAreAnsweredAfterAnError() {
    ask(
        "a",
        "/livez",
        () -> {
          throw new StackOverflowError();
        });
    assertThatThrownBy(this::run).isInstanceOf(StackOverflowError.class);
    ask("b", "/livez");
    run();
    assertThat(given).containsExactly("b 201");
  }
}
