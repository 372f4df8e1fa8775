package io.probelet.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.MonitorReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Monitor files for tests; single quotes stand for double ones. */
public final class MonitorFiles {
  private MonitorFiles() {}

  /** What node-problem-detector documents, written anew. */
  public static String example(String name) {
    try (InputStream in = MonitorFiles.class.getResourceAsStream("/monitor/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  public static MonitorReader.Reading reading(String json) {
    try {
      return MonitorReader.read(new ObjectMapper().readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  public static Monitor read(String json) {
    MonitorReader.Reading reading = reading(json);
    return reading
        .monitor()
        .orElseThrow(() -> new AssertionError("refused: " + reading.findings()));
  }

  public static Monitor.Log log(String rules) {
    return (Monitor.Log)
        read(
            """
            {'plugin': 'kmsg', 'source': 'kernel', 'conditions': [
              {'type': 'Sick', 'reason': 'Well', 'message': 'is well'}], 'rules': [%s]}\
            """
                .formatted(rules));
  }

  /** A permanent rule for the condition Sick. */
  public static String permanent(String reason, String pattern) {
    return "{'type': 'permanent', 'condition': 'Sick', 'reason': '%s', 'pattern': '%s'}"
        .formatted(reason, pattern);
  }
}
