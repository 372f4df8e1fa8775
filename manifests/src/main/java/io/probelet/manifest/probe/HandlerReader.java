package io.probelet.manifest.probe;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.TlsOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the four handlers of Kubernetes. */
public final class HandlerReader {
  /** Their fields, in the order in which the first wins (P-7). */
  public static final List<String> NAMES = List.of("exec", "httpGet", "tcpSocket", "grpc");

  private static final String DEFAULT_PATH = "/";

  /** Bytes of a path in the kernel's sockaddr_un. */
  private static final int LONGEST_SOCKET = 107;

  private static final Pattern AUTHORITY =
      Pattern.compile("([-A-Za-z0-9._]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{1,5})?");

  private final Set<String> portNames;
  private final boolean inSpec;
  private final Function<Field, List<Step>> dialogs;

  /** Creates a reader for probes of a pod's spec, which an API server validates. */
  public HandlerReader(Set<String> portNames) {
    this.portNames = Set.copyOf(portNames);
    this.inSpec = true;
    this.dialogs = _ -> List.of();
  }

  /**
   * Creates a reader for probes of an annotation.
   *
   * @param dialogs reads the dialog of a tcpSocket
   */
  public HandlerReader(Set<String> portNames, Function<Field, List<Step>> dialogs) {
    this.portNames = Set.copyOf(portNames);
    this.inSpec = false;
    this.dialogs = dialogs;
  }

  /**
   * Finds the one handler among fields that exclude each other, and reports each further one (P-7).
   *
   * @param names the fields, in the order in which the first wins
   * @return the first that exists, null if there is none, which is not reported
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
        // P-7: the choice would be ambiguous
        field.forbidden("may not specify more than 1 handler type");
      }
    }
    return chosen;
  }

  /**
   * Reads one handler.
   *
   * @param field a field with one of the {@link #NAMES}
   * @return the handler, null if it has errors
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
      // P-8: there would be nothing to run
      field.required("the command to run, at least one entry");
    }
    return command.isEmpty() ? null : new Exec(command);
  }

  private ProbeHandler httpGet(Fields http) {
    String path = http.field("path").text(DEFAULT_PATH);
    Port port = where(http);
    String host = host(http);
    Scheme scheme = scheme(http.field("scheme"));
    Method method = method(http);
    Protocol protocol = protocol(http, scheme, host);
    if (protocol == Protocol.WEBSOCKET && method != Method.GET) {
      http.field("method").forbidden("a WebSocket begins with GET");
    }
    return new HttpGet(
        port,
        host,
        path.isEmpty() ? DEFAULT_PATH : path, // P-9: the API server's default
        scheme,
        HeaderReader.read(http.field("httpHeaders"), inSpec),
        TlsOptions.INSECURE,
        HttpExpectation.KUBELET,
        method,
        protocol);
  }

  /** P-28: Kubernetes has no such field, so that in a spec it is an unknown one. */
  private Method method(Fields http) {
    if (inSpec) {
      return Method.GET;
    }
    Field field = http.field("method");
    return switch (field.text("")) {
      case "", "GET" -> Method.GET;
      case "HEAD" -> Method.HEAD;
      case "POST" -> Method.POST;
      default -> {
        field.unsupported(List.of("GET", "HEAD", "POST"));
        yield Method.GET;
      }
    };
  }

  /** P-27: as the API server has it from Kubernetes 1.37 on. */
  private Protocol protocol(Fields http, Scheme scheme, @Nullable String host) {
    Field field = http.field("protocol");
    if (!inSpec && field.text("").equals("WebSocket")) { // P-33: Kubernetes does not have it
      return Protocol.WEBSOCKET;
    }
    return switch (field.text("")) {
      case "", "HTTP1" -> Protocol.HTTP1;
      case "HTTP2" -> {
        if (scheme == Scheme.HTTPS) {
          field.forbidden("protocol HTTP2 needs scheme HTTP; with HTTPS the server chooses");
        }
        if (host != null) {
          http.field("host").forbidden("may not be set with protocol HTTP2");
        }
        yield Protocol.HTTP2;
      }
      default -> {
        field.unsupported( // P-27: exact case
            inSpec ? List.of("HTTP1", "HTTP2") : List.of("HTTP1", "HTTP2", "WebSocket"));
        yield Protocol.HTTP1;
      }
    };
  }

  private ProbeHandler tcpSocket(Fields tcp) {
    // P-29: Kubernetes has no dialogs, so that in a spec they are unknown fields
    List<Step> dialog = inSpec ? List.of() : dialogs.apply(tcp.field("queryResponse"));
    return new TcpSocket(where(tcp), host(tcp), null, dialog);
  }

  private ProbeHandler grpc(Fields grpc) {
    Field field = grpc.field("port");
    int port = 0;
    if (field.isText()) {
      // P-13: a number, unlike those of http and tcp
      field.invalid("must be an integer; a grpc port has no name");
    } else {
      int errors = field.errors();
      port = field.int32(0);
      if (errors == field.errors() && !PortName.isValidNumber(port)) {
        field.invalid(port, PortName.NUMBER_RULE); // P-13: must be a valid port
      }
    }
    // P-14: empty means the server as a whole
    return new Grpc(
        port, grpc.field("service").text(""), authority(grpc), mode(grpc.field("mode")));
  }

  /** P-26: Kubernetes' TLS accepts any certificate, as its HTTPS does. */
  private static @Nullable TlsOptions mode(Field field) {
    return switch (field.text("")) {
      case "", "Plaintext" -> null;
      case "TLS" -> TlsOptions.INSECURE;
      default -> {
        field.unsupported(List.of("Plaintext", "TLS")); // P-26: exact case
        yield null;
      }
    };
  }

  /** P-26: Kubernetes has no such field, so that in a spec it is an unknown one. */
  private @Nullable String authority(Fields grpc) {
    if (inSpec) {
      return null;
    }
    Field field = grpc.field("authority");
    String authority = field.text("");
    if (authority.isEmpty()) {
      return null;
    }
    if (!AUTHORITY.matcher(authority).matches()) {
      field.invalid("must be a host name or address, and may have a port");
    }
    return authority;
  }

  /** P-34: Kubernetes has no Unix sockets, so that in a spec they are unknown fields. */
  private Port where(Fields fields) {
    Field port = fields.field("port");
    Field socket = inSpec ? port : fields.field("unixSocket");
    if (inSpec || !socket.isPresent()) {
      return port(port);
    }
    for (Field other : List.of(port, fields.field("host"))) {
      if (other.isPresent()) {
        other.forbidden("may not be set with unixSocket");
      }
    }
    String path = socket.text("");
    if (!path.startsWith("/") || path.getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET) {
      socket.invalid("must be an absolute path of at most " + LONGEST_SOCKET + " bytes");
    }
    return new Port.UnixSocket(path);
  }

  /**
   * Reads a port by number or name.
   *
   * @return the port, with number 0 after an error
   */
  public Port port(Field field) {
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
      field.invalid(number, PortName.NUMBER_RULE); // P-11: must be a valid port
    }
    return new Port.Numeric((int) number);
  }

  private Port named(Field field) {
    String name = field.text("");
    List<String> broken = PortName.brokenRules(name);
    boolean isNumber = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    for (String rule : broken) { // P-11: the API server's syntax of names
      field.invalid(isNumber ? rule + "; write a port number without quotes" : rule);
    }
    // P-17: the probe fails, the manifest stays valid
    if (broken.isEmpty() && !portNames.contains(name)) {
      field.warning(
          "the container has no port named \"%s\", so the probe cannot run".formatted(name));
    }
    return new Port.Named(name);
  }

  private static Scheme scheme(Field field) {
    return switch (field.text("")) {
      case "", "HTTP" -> Scheme.HTTP;
      case "HTTPS" -> Scheme.HTTPS;
      default -> {
        field.unsupported(List.of("HTTP", "HTTPS")); // P-10: upper case only
        yield Scheme.HTTP;
      }
    };
  }

  /** {@return the host of a handler; null for the pod's own address} */
  public static @Nullable String host(Fields fields) {
    String host = fields.field("host").text("");
    return host.isEmpty() ? null : host; // P-15: empty means the pod's IP
  }

  /** Reads the request headers of an HTTP probe (P-12). */
  public static final class HeaderReader {
    private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");
    private static final Pattern ACCEPTED_BY_API_SERVER = Pattern.compile("[-0-9A-Za-z]+");

    private HeaderReader() {}

    static List<HttpHeader> read(Field field, boolean inSpec) {
      List<HttpHeader> headers = new ArrayList<>();
      for (Field item : field.items()) {
        Fields header = item.object();
        if (header == null) {
          if (!item.isPresent()) {
            item.required("a header with name and value");
          }
          continue;
        }
        Field value = header.field("value");
        String text = text(value);
        Field name = header.field("name");
        int errors = name.errors();
        headers.add(new HttpHeader(name(name), text));
        if (inSpec
            && errors == name.errors()
            && !ACCEPTED_BY_API_SERVER.matcher(name.text("")).matches()) {
          // P-12: stricter than HTTP
          name.invalid("must consist of letters, digits and '-'");
        }
        if (text.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c))) {
          value.warning("contains line breaks or control characters, which servers reject");
        }
        header.rejectUnknown(Set.of());
      }
      return headers;
    }

    /** Reads a value, which may be a secret, so messages do not repeat it. */
    private static String text(Field value) {
      if (value.isPresent() && !value.isText()) {
        value.error(Complaint.INVALID_VALUE, "Invalid value: must be a string; put it in quotes");
        return "";
      }
      return value.text("");
    }

    /**
     * Reads a header's name.
     *
     * @return the name; after an error the invalid one or an empty text
     */
    public static String name(Field field) {
      int errors = field.errors();
      String name = field.text("");
      if (field.errors() != errors) {
        return name;
      }
      if (!field.isPresent() || name.isEmpty()) {
        field.required("the header's name"); // P-12: a header needs a name
      } else if (!TOKEN.matcher(name).matches()) {
        field.invalid(
            // P-12: annotations may use all names of HTTP
            upToMistake(name), "must be a header name: letters, digits and !#$%&'*+-.^_`|~");
      }
      return name;
    }

    /**
     * "Authorization: Bearer …" may be a name by mistake, so the message does not repeat the
     * secret.
     */
    private static String upToMistake(String name) {
      Matcher token = TOKEN.matcher(name);
      int end = name.offsetByCodePoints(token.lookingAt() ? token.end() : 0, 1);
      return end == name.length() ? name : name.substring(0, end) + "…";
    }
  }

  /** The rules for names and numbers of ports (P-11). */
  public static final class PortName {
    /** The rule for numbers. */
    public static final String NUMBER_RULE = "must be between 1 and 65535, inclusive";

    private static final int LONGEST = 15;

    private PortName() {}

    /**
     * {@return whether a number can be a port}
     *
     * @param number any number
     */
    public static boolean isValidNumber(long number) {
      return number >= 1 && number <= 65_535;
    }

    /**
     * {@return each rule that a name breaks, none if it is valid}
     *
     * @param name any text
     */
    public static List<String> brokenRules(String name) {
      List<String> broken = new ArrayList<>();
      if (name.length() > LONGEST) {
        broken.add("must be no more than " + LONGEST + " characters");
      }
      if (name.isEmpty() || !name.chars().allMatch(PortName::isAllowed)) {
        broken.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
      }
      if (name.chars().noneMatch(PortName::isLetter)) {
        broken.add("must contain at least one letter (a-z)");
      }
      if (name.contains("--")) {
        broken.add("must not contain consecutive hyphens");
      }
      if (name.startsWith("-") || name.endsWith("-")) {
        broken.add("must not begin or end with a hyphen");
      }
      return broken;
    }

    private static boolean isLetter(int c) {
      return c >= 'a' && c <= 'z';
    }

    private static boolean isAllowed(int c) {
      return isLetter(c) || (c >= '0' && c <= '9') || c == '-';
    }
  }
}
