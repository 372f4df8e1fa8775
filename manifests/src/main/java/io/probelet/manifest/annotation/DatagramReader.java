package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.health.dns.DnsMessage;
import io.probelet.health.dns.DnsType;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.manifest.probe.HandlerReader;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.ProbeHandler.UdpSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads probes by datagrams, with the field names of blackbox_exporter (P-31, P-32, P-42). */
final class DatagramReader {
  private static final int DNS_PORT = 53;
  private static final int LONGEST_NAME = 253;
  private static final int MAX_ANSWERS = 16;
  private static final int LONGEST_TEXT = 1_024;

  /** Labels of up to 63 characters that a question can have. */
  private static final Pattern NAME =
      Pattern.compile("\\.?|([-_A-Za-z0-9]{1,63}\\.)*[-_A-Za-z0-9]{1,63}\\.?");

  private final HandlerReader handlers;
  private final Totals totals;

  DatagramReader(HandlerReader handlers, Totals totals) {
    this.handlers = handlers;
    this.totals = totals;
  }

  /** Returns the handler, null if it has errors. */
  @Nullable ProbeHandler read(Field field) {
    Fields fields = field.object();
    if (fields == null) {
      return null;
    }
    int errors = field.errors();
    ProbeHandler handler =
        switch (field.name()) {
          case "dns" -> dns(fields);
          case "icmp" -> new Icmp(HandlerReader.host(fields));
          default -> udp(fields);
        };
    fields.rejectUnknown(Set.of());
    return field.errors() == errors ? handler : null;
  }

  private ProbeHandler dns(Fields fields) {
    Field portField = fields.field("port");
    Port port = portField.isPresent() ? handlers.port(portField) : new Port.Numeric(DNS_PORT);
    DnsType type = type(fields.field("queryType"));
    return new Dns(
        port,
        HandlerReader.host(fields),
        name(fields.field("queryName")),
        type,
        codes(fields.field("validRcodes")),
        answers(fields.field("answers"), type),
        byTcp(fields.field("transportProtocol")));
  }

  private static String name(Field field) {
    String name = field.text("");
    if (!field.isPresent()) {
      field.required("the name to ask for; \".\" for the root");
    } else if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
      field.invalid("must be a DNS name of up to " + LONGEST_NAME + " characters");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static DnsType type(Field field) {
    String name = field.text("");
    if (name.isEmpty()) {
      return DnsType.A;
    }
    return DnsType.of(name)
        .orElseGet(() -> {
          field.unsupported(Arrays.stream(DnsType.values()).map(Enum::name).toList());
          return DnsType.A;
        });
  }

  private static List<String> codes(Field field) {
    List<String> codes = new ArrayList<>();
    for (Field item : field.items()) {
      String code = item.text("");
      if (!DnsMessage.codeNames().contains(code)) {
        item.unsupported(DnsMessage.codeNames());
      }
      codes.add(code);
    }
    return codes.isEmpty() ? List.of("NOERROR") : codes;
  }

  /** In the form in which answers are read. */
  private List<String> answers(Field field, DnsType type) {
    List<Field> items = field.items();
    if (items.size() > MAX_ANSWERS) {
      field.invalid("must have at most " + MAX_ANSWERS + " items");
      return List.of();
    }
    List<String> answers = new ArrayList<>();
    for (Field item : items) {
      totals.take(item, Amount.BODY_RULES, 1);
      String text = item.text("");
      if (text.isEmpty() || text.length() > LONGEST_TEXT) {
        item.invalid("must have 1 to " + LONGEST_TEXT + " characters");
      }
      answers.add(normal(item, text, type));
    }
    return answers;
  }

  private static String normal(Field item, String text, DnsType type) {
    return switch (type) {
      case TXT -> text;
      case A, AAAA -> {
        try {
          yield InetAddress.ofLiteral(text).getHostAddress();
        } catch (IllegalArgumentException noAddress) {
          item.invalid("must be an address");
          yield text;
        }
      }
      case NS, CNAME, PTR, MX, SRV, SOA -> {
        String lower = text.toLowerCase(Locale.ROOT);
        yield lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
      }
    };
  }

  private static boolean byTcp(Field field) {
    String protocol = field.text("");
    if (!protocol.isEmpty() && !protocol.equals("udp") && !protocol.equals("tcp")) {
      field.unsupported(List.of("udp", "tcp"));
    }
    return protocol.equals("tcp");
  }

  private ProbeHandler udp(Fields fields) {
    Port port = handlers.port(fields.field("port"));
    Field send = fields.field("send");
    String text = send.text("");
    if (text.isEmpty()) {
      send.required("the datagram to send");
    } else if (text.length() > LONGEST_TEXT) {
      send.invalid("must have at most " + LONGEST_TEXT + " characters");
    }
    List<BodyRule> rules = new ArrayList<>();
    Field expect = fields.field("expect");
    if (expect.isPresent()) {
      totals.take(expect, Amount.BODY_RULES, 1);
      totals.take(expect, Amount.PATTERNS, 1);
      BodyRuleReader.matches(expect, totals).ifPresent(rules::add);
    }
    Field literal = fields.field("expectBytes");
    if (literal.isPresent()) {
      totals.take(literal, Amount.BODY_RULES, 1);
      rules.add(new BodyRule.Contains(literal.text("")));
    }
    return new UdpSocket(port, HandlerReader.host(fields), text, rules);
  }
}
