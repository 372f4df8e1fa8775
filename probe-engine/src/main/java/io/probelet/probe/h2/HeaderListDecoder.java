package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/** Unpacks header blocks, whole ones and such as come in parts, with one dynamic table. */
final class HeaderListDecoder extends DefaultHttp2HeadersDecoder {
  private @Nullable HeaderList begun;

  HeaderListDecoder(int maxHeaderListSize) {
    super(false, maxHeaderListSize);
  }

  @Override
  protected Http2Headers newHeaders() {
    return begun == null ? new HeaderList() : begun;
  }

  /**
   * Unpacks headers that are whole, though their block may not be.
   *
   * @param into takes them, after others
   */
  void decode(int streamId, ByteBuf headers, HeaderList into) throws Http2Exception {
    begun = into;
    try {
      decodeHeaders(streamId, headers);
    } finally {
      begun = null;
    }
  }
}
