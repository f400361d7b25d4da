import { expect, test } from 'vitest'
import { signatureDescription } from './hand-words.ts'

test.each([
  [{ method: 'finger', user: 4, author: 'will' }, 'Drawn'],
  [{ method: 'on behalf', user: 4, byName: 'Fay Foreman' }, 'Signed by Fay Foreman on this person’s behalf'],
  [
    { method: 'on behalf', visitor: true, byName: 'Fay Foreman' },
    'Visitor. Signed by Fay Foreman on this person’s behalf',
  ],
  [{ method: 'typed', visitor: true, byName: 'Will Worker' }, 'Visitor. Typed on Will Worker’s device'],
  [{ method: 'finger', visitor: true, byLink: true }, 'Visitor. Drawn on the signer’s own device, by link'],
  [{ method: 'finger', user: 4, byLink: true }, 'Drawn on the signer’s own device, by link'],
  [
    { method: 'finger', user: 4, byLink: true, pinCheck: 'checked' },
    'Drawn on the signer’s own device, by link, PIN checked',
  ],
  [
    { method: 'finger', user: 4, byName: 'Will Worker', pinCheck: 'checked' },
    'Drawn on Will Worker’s device, PIN checked',
  ],
  [
    { method: 'finger', user: 4, byName: 'Will Worker', pinCheck: 'wrong' },
    'Drawn on Will Worker’s device, PIN did not match',
  ],
  [{ method: 'finger', user: 4, byName: 'Will Worker', pinCheck: 'none' }, 'Drawn on Will Worker’s device, no PIN set'],
  // A signature from before accounts were stored with signatures.
  [{ method: 'typed', author: 'will' }, 'Typed on will’s device'],
] as const)("a signature's description states how and by whom the signature was given (%#)", (signature, words) => {
  expect(signatureDescription(signature)).toBe(words)
})
