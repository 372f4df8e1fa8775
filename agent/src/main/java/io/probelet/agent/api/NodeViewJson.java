package io.probelet.agent.api;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;

/** Writes and reads the node. */
public final class NodeViewJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private NodeViewJson() {}

  /**
   * Writes the node.
   *
   * @param node what to write
   * @return its JSON
   * @throws IOException never, as long as the view holds texts and numbers
   */
  public static String write(NodeView node) throws IOException {
    return MAPPER.writeValueAsString(node);
  }

  /**
   * Reads the node; fields of a later version are passed over.
   *
   * @param in read to its end
   * @return the node
   * @throws IOException if it cannot be read or is not such an object
   */
  public static NodeView read(InputStream in) throws IOException {
    return MAPPER.readValue(in, NodeView.class);
  }
}
