import { expect, test } from 'vitest'
import { signatureDescription } from './hand-words.ts'

test.each([
  [{ method: 'finger', user: 4, author: 'will' }, 'Drawn'],
  [{ method: 'on behalf', user: 4, byName: 'Fay Foreman' }, 'Signed on behalf by Fay Foreman'],
  [{ method: 'on behalf', visitor: true, byName: 'Fay Foreman' }, 'Visitor. Signed on behalf by Fay Foreman'],
  [{ method: 'typed', visitor: true, byName: 'Will Worker' }, 'Visitor. Typed on the device of Will Worker'],
  // A signature from before accounts were stored with signatures.
  [{ method: 'typed', author: 'will' }, 'Typed on the device of will'],
] as const)("a signature's description states how and by whom the signature was given (%#)", (signature, words) => {
  expect(signatureDescription(signature)).toBe(words)
})
