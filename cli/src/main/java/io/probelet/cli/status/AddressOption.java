package io.probelet.cli.status;

import io.probelet.cli.option.ListenAddressConverter;
import io.probelet.web.http.ListenAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of all commands that query a running agent. */
class AddressOption {
  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = ListenAddressConverter.class,
      description =
          "Address of the agent (default: PROBELET_LISTEN, else the configuration file that"
              + " PROBELET_CONFIG names, else "
              + ListenAddress.DEFAULT
              + ").")
  private @Nullable ListenAddress address;

  boolean namesAddress() {
    return address != null;
  }

  /**
   * {@return a client of the agent}
   *
   * @throws IllegalArgumentException if its address is unknown; the message is for the user
   */
  AgentClient client() {
    return new AgentClient(AgentAddress.of(address, System.getenv(), null));
  }
}
