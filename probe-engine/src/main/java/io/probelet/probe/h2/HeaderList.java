package io.probelet.probe.h2;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one block, checked as Go checks them: what only HTTP/1 knows, such as Connection,
 * and blanks around values are fine. A peer may send megabytes of headers; kept are the first 16
 * KiB, and those that matter wherever they come.
 */
final class HeaderList extends DefaultHttp2Headers {
  /** Bytes that are kept, counted as the protocol counts them. */
  static final int MAX_KEPT = 16 * 1024;

  /** What each header counts beside its name and its value. */
  static final int OVERHEAD = 32;

  private static final String STATUS = ":status";
  private static final Set<String> OF_REQUESTS =
      Set.of(":method", ":path", ":scheme", ":authority", ":protocol");
  private static final String LENGTH = "content-length";
  private static final Set<String> THAT_MATTER =
      Set.of(STATUS, "location", "content-type", LENGTH, "grpc-status");

  /** Kept from Netty, which refuses two of them and such as are no length; Go passes them over. */
  private final List<CharSequence> lengths = new ArrayList<>(1);

  private long size;
  private int kept;
  private int keptBeyond;
  private boolean regular;
  private boolean ofResponse;
  private boolean ofRequest;
  private boolean valueLeftOut;
  private @Nullable String fault;

  HeaderList() {
    super(false, 8);
  }

  /** {@return bytes of all headers so far, those that were not kept included} */
  long listSize() {
    return size;
  }

  /** {@return what is wrong with the headers, or null} */
  @Nullable String fault() {
    return fault;
  }

  /** Counts bytes that never get here. */
  void count(long bytes) {
    size += bytes;
  }

  /** Says that the next header comes without its value, which is too long to be kept. */
  void leaveOutValue() {
    valueLeftOut = true;
  }

  @Override
  public Http2Headers add(CharSequence name, CharSequence value) {
    int bytes = name.length() + value.length() + OVERHEAD;
    size += bytes;
    boolean whole = !valueLeftOut;
    valueLeftOut = false;
    if (fault == null) {
      fault = wrong(name, value);
    }
    if (fault != null) {
      return this;
    }
    if (whole && kept + bytes <= MAX_KEPT) {
      kept += bytes;
      keep(name, value);
    } else if (THAT_MATTER.contains(name.toString())) {
      if (whole && keptBeyond + bytes <= MAX_KEPT) {
        keptBeyond += bytes;
        keep(name, value);
      } else {
        fault = "more than " + MAX_KEPT + " bytes of " + name;
      }
    }
    return this;
  }

  private void keep(CharSequence name, CharSequence value) {
    if (AsciiString.contentEquals(LENGTH, name)) {
      lengths.add(value);
    } else {
      super.add(name, value);
    }
  }

  /** Adds the lengths that were announced. */
  void showLengths() {
    lengths.forEach(length -> super.add(LENGTH, length));
    lengths.clear();
  }

  private @Nullable String wrong(CharSequence name, CharSequence value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        return "invalid header field value for \"" + printable(name) + "\"";
      }
    }
    if (name.length() == 0 || name.charAt(0) != ':') {
      regular = true;
      return isName(name) ? null : "invalid header field name \"" + printable(name) + "\"";
    }
    if (regular) {
      return "pseudo header field after regular";
    }
    String pseudo = name.toString();
    if (pseudo.equals(STATUS)) {
      if (ofResponse) {
        return "duplicate pseudo-header \":status\"";
      }
      ofResponse = true;
    } else if (OF_REQUESTS.contains(pseudo)) {
      ofRequest = true;
    } else {
      return "invalid pseudo-header \"" + printable(name) + "\"";
    }
    return ofRequest && ofResponse ? "mix of request and response pseudo headers" : null;
  }

  private static boolean isName(CharSequence name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        return false;
      }
    }
    return name.length() > 0 && HttpHeaderValidationUtil.validateToken(name) == -1;
  }

  private static String printable(CharSequence name) {
    return ConnectionHandler.printable(name.subSequence(0, Math.min(64, name.length())).toString());
  }
}
