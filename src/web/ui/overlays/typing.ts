const FIELD =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, select, [contenteditable=""], [contenteditable=true]'

/** Returns true if the element is in a field that accepts typed text. */
export const acceptsTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELD) !== null

/** Returns true if the key types a character, such as a letter or a digit. */
export const isCharacterKey = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'key' | 'metaKey'>): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey
