package io.probelet.probe.http;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.fuzz.Bounded;
import io.probelet.probe.Verdict;
import java.util.Objects;

/** What an HTTP/1 server answers, in whatever pieces it comes. */
class Http1FuzzTest {
  @FuzzTest
  void answer(byte[] data) throws Exception {
    int middle = data.length == 0 ? 0 : Byte.toUnsignedInt(data[0]) % data.length;
    Bounded.run(() -> {
      ResponseParser whole = new ResponseParser();
      whole.feed(data, 0, data.length);
      whole.end();
      ResponseParser parts = new ResponseParser();
      parts.feed(data, 0, middle);
      parts.feed(data, middle, data.length);
      parts.end();
      Bounded.check(
          Objects.equals(whole.fault(), parts.fault()) && whole.complete() == parts.complete(),
          "another end in other pieces: " + whole.fault() + " and " + parts.fault());
      Bounded.check(whole.complete() == (whole.fault() == null), "neither complete nor broken");
      HttpResponse answer = whole.answer();
      if (answer != null) {
        Bounded.check(
            answer.body().text().length() <= Verdict.OUTPUT_LIMIT, "more body than is kept");
        Bounded.check(answer.status() >= 0 && answer.status() <= 999, "a status of more digits");
        if (answer.location() != null) {
          ProbeUrl url =
              ProbeUrl.of(
                  io.probelet.probe.ProbeHandler.Scheme.HTTP,
                  new io.probelet.probe.net.Endpoint("127.0.0.1", 80),
                  "/");
          Bounded.check(url.follow(answer.location()) != null, "a redirect to nowhere");
        }
      }
    });
  }
}
