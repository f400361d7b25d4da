import { expect, test } from 'vitest'
import { pinCheckText } from '#kernel/signature.ts'
import { createSecretSealer } from '#server/auth/sealing.ts'
import { pinKeysOf } from './sealed-pin.server.ts'
import { openSigningPin, sealSigningPin, signingPinProblem } from './signing-pin.ts'

const STROKES = { width: 300, height: 100, strokes: [[[0.1, 0.1]]] }
const SIGNATURE = { user: 5, name: 'Sid Signer', document: 7, record: 9, strokes: STROKES }
const keysOf = (byte: number) => pinKeysOf(createSecretSealer([Buffer.alloc(32, byte)]))

test('a PIN has six digits, and is neither a repetition nor a straight sequence', () => {
  for (const pin of ['', '12345', '1234567', '12345a', '１２３４５６', ' 482915'])
    expect(signingPinProblem(pin), pin).toBe('Please enter a PIN of 6 digits')
  for (const pin of ['000000', '999999', '123456', '012345', '456789', '654321', '987654', '121212', '482482'])
    expect(signingPinProblem(pin), pin).toContain('too easy to guess')
  for (const pin of ['482915', '112233', '135791', '100000']) expect(signingPinProblem(pin), pin).toBeUndefined()
})

test('a sealed PIN can be opened only by the server that issued the key, and only with its own signature', async () => {
  const [own] = keysOf(1)
  const [other] = keysOf(2)
  if (!own || !other) throw new Error('There are no keys')
  const sealed = await sealSigningPin(own.publicKey, '482915', SIGNATURE)
  expect(await openSigningPin(await own.privateKey, sealed)).toMatchObject({
    pin: '482915',
    user: 5,
    document: 7,
    record: 9,
    drawing: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await openSigningPin(await other.privateKey, sealed)).toBeUndefined()
  const flipped = `${sealed.slice(0, -1)}${sealed.endsWith('0') ? '1' : '0'}`
  for (const changed of [flipped, '', 'a.b.c', '482915', sealed.replaceAll('.', '')])
    expect(await openSigningPin(await own.privateKey, changed)).toBeUndefined()
})

test('sealing the same PIN twice gives different texts, so trying all PINs finds no match', async () => {
  const publicKey = keysOf(1)[0]?.publicKey ?? ''
  const seal = () => sealSigningPin(publicKey, '482915', SIGNATURE)
  const [first, second] = [await seal(), await seal()]
  expect(first).not.toBe(second)
  expect(first).not.toContain('482915')
})

test('after a change of the portal’s key, a PIN sealed with the former key can still be opened', async () => {
  const [former] = keysOf(1)
  const [, second] = pinKeysOf(createSecretSealer([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]))
  const sealed = await sealSigningPin(former?.publicKey ?? '', '482915', SIGNATURE)
  expect(second?.publicKey).toBe(former?.publicKey)
  if (!second) throw new Error('There is no second key')
  expect(await openSigningPin(await second.privateKey, sealed)).toMatchObject({ pin: '482915' })
})

test('the result of a PIN check is described in words, and is blank for other signatures', () => {
  expect(['checked', 'wrong', 'none', 'unchecked', null].map(pinCheckText)).toEqual([
    'PIN checked',
    'PIN did not match',
    'no PIN set',
    'PIN not checked',
    '',
  ])
})
