package io.probelet.cli.status;

import io.probelet.agent.config.ConfigurationFile;
import io.probelet.agent.config.ConfigurationFile.Reading;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of an agent with the same environment, as in the same container: PROBELET_LISTEN,
 * else its configuration file, else the default.
 */
public final class AgentAddress {
  private static final String LISTEN = "PROBELET_LISTEN";
  private static final String CONFIG = "PROBELET_CONFIG";

  private AgentAddress() {}

  /**
   * {@return the address to ask}
   *
   * @param given by the user; null for none
   * @param configFile the agent's configuration file; null for the one that the environment names
   * @throws IllegalArgumentException if it is unknown; the message is for the user
   */
  public static ListenAddress of(
      @Nullable ListenAddress given, Map<String, String> environment, @Nullable Path configFile) {
    if (given != null) {
      return given;
    }
    String listen = environment.getOrDefault(LISTEN, "");
    if (!listen.isEmpty()) {
      return reachable(parse(listen));
    }
    String file = configFile == null ? environment.getOrDefault(CONFIG, "") : configFile.toString();
    return reachable(
        file.isEmpty() ? ListenAddress.parse(ListenAddress.DEFAULT) : configured(Path.of(file)));
  }

  private static ListenAddress parse(String listen) {
    try {
      return ListenAddress.parse(listen);
    } catch (IllegalArgumentException malformed) {
      throw unknown(LISTEN + ": " + malformed.getMessage(), malformed);
    }
  }

  private static ListenAddress configured(Path file) {
    Reading reading = ConfigurationFile.read(file);
    if (!reading.problems().isEmpty()) {
      throw unknown(reading.problems().getFirst().toString(), null);
    }
    return reading.configuration().http().listen();
  }

  private static IllegalArgumentException unknown(String why, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "the agent's address is unknown (" + why + "); name it with --address", cause);
  }

  /** An agent that listens on all addresses is asked on loopback. */
  private static ListenAddress reachable(ListenAddress listen) {
    return switch (listen.host()) {
      case "0.0.0.0" -> new ListenAddress("127.0.0.1", listen.port());
      case "::" -> new ListenAddress("::1", listen.port());
      default -> listen;
    };
  }
}
