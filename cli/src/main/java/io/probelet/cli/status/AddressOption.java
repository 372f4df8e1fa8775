package io.probelet.cli.status;

import io.probelet.cli.option.ListenAddressConverter;
import io.probelet.web.http.ListenAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of all commands that ask a running agent. */
class AddressOption {
  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = ListenAddressConverter.class,
      description =
          "Where the agent listens (default: what PROBELET_LISTEN or the file of PROBELET_CONFIG"
              + " says, else "
              + ListenAddress.DEFAULT
              + ").")
  private @Nullable ListenAddress address;

  boolean namesAddress() {
    return address != null;
  }

  /**
   * {@return a client of the agent}
   *
   * @throws IllegalArgumentException if it cannot be known where it listens
   */
  AgentClient client() {
    return new AgentClient(AgentAddress.of(address, System.getenv(), null));
  }
}
