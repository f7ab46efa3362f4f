/** Finds the button that sends a form. Extensions may add others. */
export function findButton(form: HTMLFormElement): HTMLButtonElement {
  return form.querySelector('button[data-sending]')!;
}

/** Disables or enables the button of a form, and swaps its label with its `data-sending`. */
export function showSending(form: HTMLFormElement, isSending: boolean): void {
  const button = findButton(form);
  const label = button.dataset['sending']!;
  button.disabled = isSending;
  button.dataset['sending'] = button.textContent;
  button.textContent = label;
  // Assistive technology does not announce changes inside a button.
  form.querySelector('[role=status]')!.textContent = isSending ? label : '';
}
