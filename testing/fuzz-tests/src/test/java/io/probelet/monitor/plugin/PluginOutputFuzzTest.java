package io.probelet.monitor.plugin;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.fuzz.Bounded;
import io.probelet.process.CappedOutput;

/** What plugins write, until it is the message of a condition. */
class PluginOutputFuzzTest {
  private static final int KEPT_BYTES = 4096;

  @FuzzTest
  void output(byte[] data) throws Exception {
    Bounded.run(() -> {
      CappedOutput output = new CappedOutput(KEPT_BYTES);
      output.write(data, 0, data.length);
      Bounded.check(output.text().length() <= KEPT_BYTES, "more output than is kept");
      for (int most : new int[] {1, 3, 80}) {
        String message = PluginRun.cut(output.text(), most);
        Bounded.check(message.length() <= most, "a longer message than allowed");
        Bounded.check(
            message.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\t'),
            "control characters");
      }
    });
  }
}
