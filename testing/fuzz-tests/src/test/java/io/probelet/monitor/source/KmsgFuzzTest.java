package io.probelet.monitor.source;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.fuzz.Bounded;
import io.probelet.monitor.source.KmsgSource.KernelRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Records of the kernel's log, whose text is in part a stranger's: names of devices and programs.
 */
class KmsgFuzzTest {
  private static final Instant BOOT = Instant.EPOCH;

  @FuzzTest
  void records(byte[] data) throws Exception {
    Bounded.run(() -> {
      List<String> lines = new ArrayList<>();
      KernelRecords records = new KernelRecords(new Lines(lines), BOOT, KernelPlace.NONE);
      LogLineSplitter splitter = new LogLineSplitter();
      int middle = data.length / 2;
      splitter.take(data, 0, middle, line -> records.line(line, BOOT));
      splitter.take(data, middle, data.length - middle, line -> records.line(line, BOOT));
      int taken = lines.stream().mapToInt(String::length).sum();
      Bounded.check(taken <= 2 * data.length, "more text than was read");
    });
  }

  private record Lines(List<String> all) implements LineSource.Sink {
    @Override
    public void line(String text, Instant at) {
      all.add(text);
    }

    @Override
    public void foreignLine(String text, Instant at) {
      all.add(text);
    }

    @Override
    public void upToDate() {
      // nobody waits for it here
    }

    @Override
    public void gap(long lines, String why) {
      Bounded.check(lines > 0, "a gap of " + lines);
    }
  }
}
