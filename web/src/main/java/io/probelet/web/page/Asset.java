package io.probelet.web.page;

import io.probelet.web.http.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** A file that comes with the program and with its pages. Read when it is asked for. */
public final class Asset implements Resource {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String PICTURE = "image/svg+xml";

  private final String name;
  private final String type;

  private Asset(String name, String type) {
    this.name = name;
    this.type = type;
  }

  /**
   * {@return the file of that name}
   *
   * @param name one of those beside this class, ending with .js, .css or .svg
   * @throws IllegalArgumentException if there is none
   */
  public static Asset of(String name) {
    String type = name.endsWith(".js") ? SCRIPT : name.endsWith(".css") ? STYLE : PICTURE;
    if (Asset.class.getResource(name) == null) {
      throw new IllegalArgumentException("there is no file " + name);
    }
    return new Asset(name, type);
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws IOException {
    try (InputStream file = Asset.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("the file " + name + " is not in the program");
      }
      byte[] bytes = file.readAllBytes();
      return new Answer(200, type, out -> out.write(bytes));
    }
  }
}
