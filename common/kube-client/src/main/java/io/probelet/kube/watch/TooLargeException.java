package io.probelet.kube.watch;

import io.probelet.kube.object.BoundedObject.TooLarge;
import java.io.IOException;

/** One object is larger than its format reads. The others are read all the same. */
public final class TooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient TooLarge object;

  /** Creates it. */
  public TooLargeException(TooLarge object) {
    super(object.text());
    this.object = object;
  }

  /** {@return what is known of the object} */
  public TooLarge object() {
    return object;
  }
}
