package io.probelet.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Source;
import java.nio.file.Path;

/** A configuration file that is right. */
public final class ConfigurationReading {
  private ConfigurationReading() {}

  /** What the file says. */
  public static AgentConfiguration of(String yaml) {
    ConfigurationFile.Reading reading =
        ConfigurationFile.read(Path.of("agent.yaml"), Source.of(yaml));
    assertThat(reading.problems()).isEmpty();
    return reading.configuration();
  }
}
