package io.probelet.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** Which HTTPS probes are compared. */
final class HttpsOptions {
  @Option(
      names = "--keys",
      split = ",",
      defaultValue = "ECDSA",
      description = "Keys of the target: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private TlsLoad.Key[] keys = {};

  @Option(
      names = "--protocols",
      split = ",",
      defaultValue = "H2",
      description =
          "Protocols of the target: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private TlsLoad.Protocol[] protocols = {};

  @Option(
      names = "--verified",
      arity = "1",
      split = ",",
      defaultValue = "false",
      description =
          "Whether the target's certificate is verified: true, false (default: ${DEFAULT-VALUE}).")
  private boolean[] verified = {};

  @Option(
      names = "--rates",
      split = ",",
      defaultValue = "50",
      description = "Probes a second (default: ${DEFAULT-VALUE}).")
  private int[] rates = {};

  /** {@return what is given for each of them} */
  List<TlsLoad> loads() {
    List<TlsLoad> loads = new ArrayList<>();
    for (TlsLoad.Key key : keys) {
      for (TlsLoad.Protocol protocol : protocols) {
        for (boolean verify : verified) {
          loads.add(new TlsLoad(key, protocol, verify));
        }
      }
    }
    return loads;
  }

  List<Integer> rates() {
    return Arrays.stream(rates).boxed().toList();
  }
}
