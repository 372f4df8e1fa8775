package io.probelet.web.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.web.http.Resource.BadRequest;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parameters of a page, which live in its address so that it can be kept and sent on.
 *
 * @param values the decoded parameters, each with its values in order
 */
public record PageQuery(Map<String, List<String>> values) {
  /** A label with its value is the longest there is: a domain, two names of 63 and two signs. */
  public static final int MAX_LENGTH = 400;

  private static final int MAX_PAGE_DIGITS = 5;

  /**
   * {@return a parameter; empty if it is not given}
   *
   * @throws BadRequest if it is too long or given twice
   */
  public String text(String name) throws BadRequest {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      throw new BadRequest(name + " is given " + given.size() + " times; give it once");
    }
    String value = given.isEmpty() ? "" : given.getFirst();
    if (value.length() > MAX_LENGTH) {
      throw new BadRequest(name + " has " + value.length() + " characters, at most " + MAX_LENGTH);
    }
    return value;
  }

  /**
   * {@return the address of a page with the same parameters}
   *
   * @param path the page, relative to the first page
   * @throws BadRequest if a parameter is too long or given twice
   */
  public String on(String path) throws BadRequest {
    List<String> parameters = new ArrayList<>();
    for (String name : values.keySet()) {
      parameters.add(URLEncoder.encode(name, UTF_8));
      parameters.add(text(name));
    }
    return link(path, parameters.toArray(String[]::new));
  }

  /**
   * {@return the number of the page, from 1}
   *
   * @throws BadRequest if it is none
   */
  public int page() throws BadRequest {
    String page = text("page");
    if (page.isEmpty()) {
      return 1;
    }
    if (page.length() > MAX_PAGE_DIGITS || !page.matches("[1-9][0-9]*")) {
      throw new BadRequest("page must be a number from 1 to 99999");
    }
    return Integer.parseInt(page);
  }

  /**
   * {@return the address of a page with parameters, relative to the first page}
   *
   * @param parameters names and values in turn; those with an empty value are left out
   */
  public static String link(String path, String... parameters) {
    StringBuilder link = new StringBuilder(path);
    char before = '?';
    for (int i = 0; i < parameters.length; i += 2) {
      if (!parameters[i + 1].isEmpty()) {
        link.append(before)
            .append(parameters[i])
            .append('=')
            .append(URLEncoder.encode(parameters[i + 1], UTF_8));
        before = '&';
      }
    }
    return link.toString();
  }
}
