package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.Profile;
import io.probelet.manifest.probe.HandlerReader;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a handler of the annotation: one of Kubernetes' handlers with {@code tls} and {@code
 * expect}, or several combined with {@code allOf} or {@code anyOf}.
 */
final class CombinedHandlerReader {
  static final List<String> NAMES =
      Stream.concat(
              HandlerReader.NAMES.stream(), Stream.of("dns", "icmp", "udpSocket", "allOf", "anyOf"))
          .toList();

  /** Each part is a connection or a process in every period. */
  private static final int MAX_PARTS = 16;

  private static final int DEEPEST = 3;

  private final HandlerReader handlers;
  private final DatagramReader datagrams;
  private final HandlerBounds bounds;
  private final ProfileReader profiles;
  private final TlsReader tls;
  private final Totals totals;

  CombinedHandlerReader(
      Set<String> portNames, NamespacePolicy policy, TlsReader tls, Totals totals) {
    this.handlers = new HandlerReader(portNames, list -> DialogReader.read(list, totals));
    this.datagrams = new DatagramReader(handlers, totals);
    this.bounds = new HandlerBounds(policy, totals);
    this.profiles = new ProfileReader(policy.profiles());
    this.tls = tls;
    this.totals = totals;
  }

  /**
   * Reads the handler of an object, or changes the inherited one.
   *
   * @param inherited the manifest's handler; null if there is none
   * @return the handler, null if there is none or it has errors
   */
  @Nullable ProbeHandler refine(Fields owner, @Nullable ProbeHandler inherited) {
    return read(owner, inherited, 1);
  }

  /**
   * Reads a command that runs once, not on each tick.
   *
   * @return the command; empty when there is none or it has errors
   */
  List<String> command(Field field) {
    Fields fields = field.object();
    if (fields == null) {
      return List.of();
    }
    Field chosen = HandlerReader.pick(fields, List.of("exec"));
    if (chosen == null) {
      field.required("must specify exec");
    }
    ProbeHandler handler = chosen == null ? null : handlers.read(chosen);
    fields.rejectUnknown(Set.of());
    if (chosen == null || handler == null) {
      return List.of();
    }
    bounds.check(chosen, handler, null);
    return handler instanceof ProbeHandler.Exec(var command) ? command : List.of();
  }

  private @Nullable ProbeHandler read(Fields owner, @Nullable ProbeHandler inherited, int depth) {
    int errors = owner.errors();
    Field chosen = HandlerReader.pick(owner, NAMES);
    ProbeHandler handler = chosen == null ? inherited : handler(chosen, depth);
    Field tlsField = owner.field("tls");
    Field profileField = owner.field("profile");
    Field expectField = owner.field("expect");
    TlsOptions options = tls.read(tlsField);
    Profile profile = profiles.read(profileField);
    HttpExpectation expectation = ExpectationReader.read(expectField, totals);
    if (handler == null) {
      return null;
    }
    if (chosen != null && !isCombination(handler)) {
      bounds.check(chosen, handler, profile);
    }
    if (chosen != null
        && handler instanceof Grpc
        && tlsField.isPresent()
        && saysPlaintext(chosen)) {
      tlsField.forbidden("the grpc has mode Plaintext; tls needs mode TLS, or none");
    }
    handler = withTls(handler, tlsField, options);
    if (profile != null) {
      handler = ProfileReader.apply(profile, profileField, handler, tlsField);
    }
    handler = withExpectation(handler, expectField, expectation);
    return owner.errors() == errors ? handler : null;
  }

  /** P-26: TLS and its opposite in one handler. */
  private static boolean saysPlaintext(Field grpc) {
    Fields fields = grpc.object();
    return fields != null && fields.field("mode").text("").equals("Plaintext");
  }

  private static boolean isCombination(ProbeHandler handler) {
    return handler instanceof AllOf || handler instanceof AnyOf;
  }

  private @Nullable ProbeHandler handler(Field chosen, int depth) {
    return switch (chosen.name()) {
      case "allOf" -> {
        List<ProbeHandler> parts = parts(chosen, depth);
        yield parts.isEmpty() ? null : new AllOf(parts);
      }
      case "anyOf" -> {
        List<ProbeHandler> parts = parts(chosen, depth);
        yield parts.isEmpty() ? null : new AnyOf(parts);
      }
      case "dns", "icmp", "udpSocket" -> datagrams.read(chosen);
      default -> handlers.read(chosen);
    };
  }

  private List<ProbeHandler> parts(Field list, int depth) {
    if (depth > DEEPEST) {
      list.invalid("must not be nested more than " + DEEPEST + " levels deep");
      return List.of();
    }
    int errors = list.errors();
    List<Field> items = list.items();
    if (list.errors() == errors && (items.isEmpty() || items.size() > MAX_PARTS)) {
      list.invalid("must have 1 to " + MAX_PARTS + " handlers");
    }
    List<ProbeHandler> parts = new ArrayList<>();
    for (Field item : items) {
      ProbeHandler part = part(item, depth);
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }

  private @Nullable ProbeHandler part(Field item, int depth) {
    Fields fields = item.object();
    if (fields == null) {
      if (!item.isPresent()) {
        item.required("must specify a handler type");
      }
      return null;
    }
    int errors = item.errors();
    ProbeHandler part = read(fields, null, depth + 1);
    fields.rejectUnknown(Set.of());
    if (part == null && item.errors() == errors) {
      item.required("must specify a handler type");
    }
    return part;
  }

  private static ProbeHandler withTls(
      ProbeHandler handler, Field field, @Nullable TlsOptions options) {
    if (!field.isPresent()) {
      return handler;
    }
    return switch (handler) {
      case HttpGet http when options != null && http.scheme() == Scheme.HTTPS -> http.with(options);
      case Grpc grpc when options != null -> grpc.with(options);
      case TcpSocket tcp when options != null -> tcp.with(options);
      case HttpGet http when http.scheme() == Scheme.HTTP -> {
        field.forbidden("the httpGet has scheme HTTP; tls needs scheme HTTPS");
        yield handler;
      }
      case HttpGet _, Grpc _, TcpSocket _ -> handler;
      default -> {
        field.forbidden(
            "is only allowed with httpGet, tcpSocket or grpc, not with " + handler.fieldName());
        yield handler;
      }
    };
  }

  private static ProbeHandler withExpectation(
      ProbeHandler handler, Field field, @Nullable HttpExpectation expectation) {
    if (!field.isPresent()) {
      return handler;
    }
    if (!(handler instanceof HttpGet http)) {
      field.forbidden("is only allowed with httpGet, not with " + handler.fieldName());
      return handler;
    }
    boolean webSocket = http.protocol() == Protocol.WEBSOCKET;
    if (webSocket && expectation != null) {
      boolean headersOnly = expectation.statuses().isEmpty() && !expectation.readsBody();
      if (!headersOnly) { // P-33: the protocol says which answer there is
        field.forbidden("with protocol WebSocket only headers can be expected");
      }
    }
    if (http.method() == Method.HEAD && expectation != null && !expectation.body().isEmpty()) {
      field.forbidden("method HEAD has an answer without a body");
    }
    return expectation == null ? handler : http.with(expectation);
  }
}
