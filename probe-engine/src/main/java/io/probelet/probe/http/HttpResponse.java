package io.probelet.probe.http;

import org.jspecify.annotations.Nullable;

/**
 * What a server answered.
 *
 * @param status the status code; HTTP/1.1 servers can send any number up to 999
 * @param location the Location header, null or empty for none
 * @param body what has arrived of it
 */
record HttpResponse(int status, @Nullable String location, BodyHead body) {
  /** {@return whether this status leads elsewhere when there is a Location (H-4)} */
  boolean redirects() {
    boolean leads =
        switch (status) {
          case 301, 302, 303, 307, 308 -> true;
          default -> false;
        };
    return leads && location != null && !location.isEmpty();
  }
}
