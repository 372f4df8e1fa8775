/** The command of a controller, and the options of every command that can lead. */
@NullMarked
package io.probelet.agent.controller;

import org.jspecify.annotations.NullMarked;
