package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.policy.Profile;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the profile that a handler names, and applies it to the handler. */
final class ProfileReader {
  private static final String SERVER_NAME = "serverName";

  private final List<Profile> allowed;

  ProfileReader(List<Profile> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /** Returns the profile, null if none is named or it does not exist for the namespace. */
  @Nullable Profile read(Field field) {
    String name = field.text();
    if (name == null) {
      return null;
    }
    for (Profile profile : allowed) {
      if (profile.name().equals(name)) {
        return profile;
      }
    }
    // The message must not reveal whether other namespaces have the profile.
    field.invalid("no such profile is configured for this namespace (policy.profiles)");
    return null;
  }

  /**
   * Returns the handler with the profile's headers and TLS settings, or unchanged after an error.
   * The handler may be the spec's: its host must also be allowed to receive the secrets, and none
   * of its settings may redirect them to another server at the same address.
   */
  static ProbeHandler apply(Profile profile, Field field, ProbeHandler handler, Field tls) {
    String host = HandlerBounds.host(handler);
    if (!profile.hosts().allow(host)) {
      field.forbidden(
          host == null
              ? "the profile does not allow the pod's own address"
              : "the profile does not allow the handler's host");
    }
    String serverName = serverName(profile, tls, host);
    return switch (handler) {
      case HttpGet http -> http(profile, field, http, serverName);
      case Grpc grpc -> {
        if (profile.tls() == null) {
          field.forbidden("the profile has only headers, which require httpGet");
        }
        TlsOptions options = named(profile.tls(), serverName);
        yield options == null ? grpc : grpc.with(options);
      }
      default -> {
        field.forbidden("is only allowed with httpGet or grpc, not with " + handler.fieldName());
        yield handler;
      }
    };
  }

  private static @Nullable String serverName(Profile profile, Field tls, @Nullable String host) {
    Fields fields = tls.object();
    if (fields == null || profile.tls() == null) {
      return null;
    }
    boolean others = fields.names().stream().anyMatch(name -> !name.equals(SERVER_NAME));
    if (others || host != null) {
      tls.forbidden(
          "the profile defines the TLS settings; only serverName is allowed in addition, for"
              + " the pod's own address");
    }
    return fields.field(SERVER_NAME).text();
  }

  private static HttpGet http(
      Profile profile, Field field, HttpGet http, @Nullable String serverName) {
    List<HttpHeader> headers = new ArrayList<>(http.headers());
    for (HttpHeader header : profile.headers()) {
      if (http.headers().stream().anyMatch(each -> each.name().equalsIgnoreCase(header.name()))) {
        field.forbidden("both the profile and the handler set the header " + header.name());
      }
      headers.add(header);
    }
    if (http.host() != null && http.headers().stream().anyMatch(each -> isHost(each.name()))) {
      field.forbidden(
          "a Host header is not allowed, because it could send the profile's"
              + " secrets to another server");
    }
    TlsOptions tls = named(profile.tls(), serverName);
    if (tls != null && http.scheme() != Scheme.HTTPS) {
      field.forbidden("the profile has TLS settings; the httpGet needs scheme HTTPS");
    }
    HttpGet sent = http.with(headers);
    return tls == null ? sent : sent.with(tls);
  }

  private static boolean isHost(String header) {
    return header.equalsIgnoreCase("Host") || header.equalsIgnoreCase(":authority");
  }

  private static @Nullable TlsOptions named(@Nullable TlsOptions tls, @Nullable String serverName) {
    return tls == null || serverName == null ? tls : tls.named(serverName);
  }
}
