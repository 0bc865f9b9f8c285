/** Buttons that are closed while they make no sense, or while what they began still runs. */

/** Opens or closes a button. A closed one is not `disabled`, which would take the focus from it when it has just been pressed. */
export function setOpen(button, isOpen) {
  button.ariaDisabled = String(!isOpen);
}

/** Calls `act` when the button is pressed, or its form submitted, if it is open. */
export function onPress(button, act) {
  let isRunning = false;
  const press = async event => {
    event.preventDefault();
    if (button.ariaDisabled === 'true' || isRunning) {
      return;
    }
    isRunning = true;
    try {
      await act();
    } finally {
      isRunning = false;
    }
  };
  if (button.type === 'submit') {
    button.form.addEventListener('submit', press);
  } else {
    button.addEventListener('click', press);
  }
}
