package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.GeneratedObjects;
import io.probelet.kube.SmallHeap;
import java.io.IOException;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collections of the largest objects that etcd accepts, read with a heap of 32 MiB. Every object is
 * read or named, and all ordinary ones are read.
 */
class LargeObjectsTest {
  private static final int HEAP = 32;
  private static final int COUNT = 12;
  private static final int HONEST_EACH = 4;

  private static String object(int number, String value) {
    return "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"o%d\",\"uid\":\"%d\"},\"spec\":%s,\"v\":\"1\"}"
        .formatted(number, number, value);
  }

  private static Stream<Arguments> shapes() {
    return Stream.of(
        Arguments.of("one-letter texts", "[\"a\"" + ",\"a\"".repeat(450_000) + "]"),
        Arguments.of("one long text", "\"" + "x".repeat(1_400_000) + "\""),
        Arguments.of("escaped letters", "\"" + "\\u003c".repeat(1_400_000) + "\""),
        Arguments.of("nested arrays", "[".repeat(9_000) + "]".repeat(9_000)),
        Arguments.of("one long name", "{\"" + "x".repeat(1_400_000) + "\":1}"));
  }

  private static String manyNames(int number) {
    StringBuilder names = new StringBuilder("{\"a\":1");
    for (int i = 0; i < 120_000; i++) {
      names.append(",\"").append(number * 120_000L + i).append("\":1");
    }
    return names.append('}').toString();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  @DisplayName("list and watch continue, and other objects are read")
  void large(String what, String value) throws IOException, InterruptedException {
    String hostile = value;
    check(what, number -> object(number, number % HONEST_EACH == 0 ? "1" : hostile));
  }

  @Test
  @DisplayName("unique field names fill no table")
  void names() throws IOException, InterruptedException {
    check("names", number -> object(number, number % HONEST_EACH == 0 ? "1" : manyNames(number)));
  }

  private static void check(String what, IntFunction<String> object)
      throws IOException, InterruptedException {
    for (String how : new String[] {"list", "watch"}) {
      try (GeneratedObjects server = new GeneratedObjects(COUNT, object)) {
        SmallHeap.Result result = SmallHeap.run(HEAP, ListsProcess.class, server.url(), how);
        assertThat(result.output()).as("%s: %s", how, what).endsWith("read=3 large=9\n");
        assertThat(server.queries().getLast()).contains("limit=");
      }
    }
  }
}
