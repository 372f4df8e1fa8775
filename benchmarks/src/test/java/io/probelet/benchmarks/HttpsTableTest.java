package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.benchmarks.SideBySide.Result;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HttpsTableTest {
  private static final TlsLoad VERIFIED =
      new TlsLoad(TlsLoad.Key.RSA, TlsLoad.Protocol.HTTP1, true);

  private static Result result(String name, int micros) {
    MeasuredWindow window =
        new MeasuredWindow(2, 100L * micros, 100, 100L * micros, new MachineTimes(0, 0));
    return new Result(name, Collections.nCopies(5, window), 30, 40, 1, List.of());
  }

  private static List<TlsLoad> loads(String... args) {
    HttpsOptions options = new HttpsOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("https", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(args);
    return options.loads();
  }

  @Test
  @DisplayName("one row for each load, with the ratio to each of the others")
  void table() {
    Load load = new Load(Load.Kind.HTTPS, 50, 1000, List.of(1), VERIFIED);

    assertThat(
            HttpsTable.lines(
                List.of(
                    new HttpsTable.Row(
                        load,
                        List.of(result("ours", 30), result("one", 20), result("other", 10))))))
        .containsExactly(
            "| target | asked/s | done/s | ours CPU-µs (min..max) | one CPU-µs (min..max)"
                + " | other CPU-µs (min..max) | × one | × other |",
            "|---|---|---|---|---|---|---|---|",
            "| RSA http/1.1 verified | 50 | 50 | 30 (30..30) | 20 (20..20) | 10 (10..10)"
                + " | 1.50 (1.50..1.50) | 3.00 (3.00..3.00) |");
  }

  @Test
  @DisplayName("several values of an option give all combinations")
  void combinations() {
    assertThat(loads()).containsExactly(TlsLoad.DEFAULT);
    assertThat(loads("--keys=RSA,ECDSA", "--protocols=HTTP1,H2", "--verified=true,false"))
        .hasSize(8)
        .doesNotHaveDuplicates()
        .startsWith(VERIFIED);
  }
}
