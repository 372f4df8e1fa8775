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
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
   * @param inSpec whether they are in the pod's spec, which an API server validates
   */
  public HandlerReader(Set<String> portNames, boolean inSpec) {
    this.portNames = Set.copyOf(portNames);
    this.inSpec = inSpec;
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
    Port port = port(http.field("port"));
    return new HttpGet(
        port,
        host(http),
        path.isEmpty() ? DEFAULT_PATH : path, // P-9: the API server's default
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
        field.invalid(port, PortName.NUMBER_RULE); // P-13: must be a valid port
      }
    }
    // P-14: empty means the server as a whole
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

  private static @Nullable String host(Fields fields) {
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
