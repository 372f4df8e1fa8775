/** Memory of what strangers name, with a bound. */
@NullMarked
package io.probelet.agent.bounded;

import org.jspecify.annotations.NullMarked;
