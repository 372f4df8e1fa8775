package io.probelet.manifest.probe;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.TlsOptions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the four handlers of Kubernetes. */
public final class HandlerReader {
  /** Their fields, in the order in which the first wins (P-7). */
  public static final List<String> NAMES = List.of("exec", "httpGet", "tcpSocket", "grpc");

  private static final String DEFAULT_PATH = "/";

  private final Set<String> portNames;
  private final boolean inSpec;

  /**
   * Creates a reader for the probes of one container.
   *
   * @param portNames the names of its ports
   * @param inSpec whether they are in the pod's spec, where an API server has a say
   */
  public HandlerReader(Set<String> portNames, boolean inSpec) {
    this.portNames = Set.copyOf(portNames);
    this.inSpec = inSpec;
  }

  /**
   * Finds the one handler among fields that exclude each other, and complains about each further
   * one (P-7).
   *
   * @param owner the object that has the fields
   * @param names the fields, in the order in which the first wins
   * @return the first that is there, null when none is, which is not complained about
   */
  public static @Nullable Field pick(Fields owner, List<String> names) {
    Field chosen = null;
    for (String name : names) {
      Field field = owner.field(name);
      if (!field.isPresent()) {
        continue;
      }
      if (chosen == null) {
        chosen = field;
      } else {
        field.forbidden("may not specify more than 1 handler type"); // P-7: which one would count?
      }
    }
    return chosen;
  }

  /**
   * Reads one handler.
   *
   * @param field a field with one of the {@link #NAMES}
   * @return the handler, null when it has errors
   */
  public @Nullable ProbeHandler read(Field field) {
    Fields fields = field.object();
    if (fields == null) {
      return null;
    }
    int errors = field.errors();
    ProbeHandler handler =
        switch (field.name()) {
          case "exec" -> exec(fields);
          case "httpGet" -> httpGet(fields);
          case "tcpSocket" -> tcpSocket(fields);
          case "grpc" -> grpc(fields);
          default -> throw new IllegalArgumentException("no handler: " + field.path());
        };
    fields.rejectUnknown(Set.of());
    return field.errors() == errors ? handler : null;
  }

  private static @Nullable ProbeHandler exec(Fields exec) {
    Field field = exec.field("command");
    List<String> command = field.textsOrEmpty();
    if (!field.isPresent() || (field.isList() && field.items().isEmpty())) {
      field.required("the command to run, at least one entry"); // P-8: nothing to run otherwise
    }
    return command.isEmpty() ? null : new Exec(command);
  }

  private ProbeHandler httpGet(Fields http) {
    String path = http.field("path").text(DEFAULT_PATH);
    Port port = port(http.field("port"));
    return new HttpGet(
        port,
        host(http),
        path.isEmpty() ? DEFAULT_PATH : path, // P-9: the root, as the API server sets it
        scheme(http.field("scheme")),
        HeaderReader.read(http.field("httpHeaders"), inSpec),
        TlsOptions.INSECURE,
        HttpExpectation.KUBELET);
  }

  private ProbeHandler tcpSocket(Fields tcp) {
    return new TcpSocket(port(tcp.field("port")), host(tcp));
  }

  private static ProbeHandler grpc(Fields grpc) {
    Field field = grpc.field("port");
    int port = 0;
    if (field.isText()) {
      // P-13: a number, unlike those of http and tcp
      field.invalid("must be an integer; a grpc port has no name");
    } else {
      int errors = field.errors();
      port = field.int32(0);
      if (errors == field.errors() && !PortName.isValidNumber(port)) {
        field.invalid(port, PortName.NUMBER_RULE); // P-13: a port that exists
      }
    }
    // P-14: the server as a whole, unless a service is named
    return new Grpc(port, grpc.field("service").text(""), null);
  }

  private Port port(Field field) {
    if (field.isText()) {
      return named(field);
    }
    if (field.isPresent() && !field.isNumber()) {
      field.invalid("must be a number or the name of a port"); // P-11: int or string
      return new Port.Numeric(0);
    }
    int errors = field.errors();
    long number = field.int64(0);
    if (errors == field.errors() && !PortName.isValidNumber(number)) {
      field.invalid(number, PortName.NUMBER_RULE); // P-11: a port that exists
    }
    return new Port.Numeric((int) number);
  }

  private Port named(Field field) {
    String name = field.text("");
    List<String> broken = PortName.brokenRules(name);
    boolean isNumber = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    for (String rule : broken) { // P-11: what the API server takes for a name
      field.invalid(isNumber ? rule + "; a port number takes no quotes" : rule);
    }
    if (broken.isEmpty() && !portNames.contains(name)) { // P-17: it fails when probed, not here
      field.warning(
          "no port of this container is called \"%s\", so that the probe cannot run"
              .formatted(name));
    }
    return new Port.Named(name);
  }

  private static Scheme scheme(Field field) {
    return switch (field.text("")) {
      case "", "HTTP" -> Scheme.HTTP;
      case "HTTPS" -> Scheme.HTTPS;
      default -> {
        field.unsupported(List.of("HTTP", "HTTPS")); // P-10: in capitals only
        yield Scheme.HTTP;
      }
    };
  }

  private static @Nullable String host(Fields fields) {
    String host = fields.field("host").text("");
    return host.isEmpty() ? null : host; // P-15: empty means the pod's IP
  }
}
