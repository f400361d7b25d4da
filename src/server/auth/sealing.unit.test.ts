import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSecretSealer, secretSealerFor } from './sealing.ts'

const key = () => randomBytes(32)

test('a sealed secret can be opened, and sealing it again produces different ciphertext', () => {
  const sealer = createSecretSealer([key()])
  const [one, two] = [sealer.seal('JBSWY3DP', 'totp 0/1'), sealer.seal('JBSWY3DP', 'totp 0/1')]
  expect(one).not.toBe(two)
  expect(one).not.toContain('JBSWY3DP')
  expect([sealer.open(one, 'totp 0/1'), sealer.open(two, 'totp 0/1')]).toEqual(['JBSWY3DP', 'JBSWY3DP'])
})

test("a sealed secret that is altered or moved to another account can't be opened", () => {
  const sealer = createSecretSealer([key()])
  const sealed = sealer.seal('JBSWY3DP', 'totp 0/1')
  expect(() => sealer.open(sealed, 'totp 0/2')).toThrow('authenticate')
  const [id, nonce, text, tag] = sealed.split('.')
  expect(() => sealer.open([id, nonce, `${text}AAAA`, tag].join('.'), 'totp 0/1')).toThrow('authenticate')
  expect(() => sealer.open(`${id}.${nonce}`, 'totp 0/1')).toThrow('incomplete')
})

test('after a key rotation, new secrets are sealed with the new key, and old ones can still be opened with the previous key', () => {
  const [old, fresh] = [key(), key()]
  const before = createSecretSealer([old]).seal('JBSWY3DP', 'it')
  const both = createSecretSealer([fresh, old])
  expect(both.open(before, 'it')).toBe('JBSWY3DP')
  expect(createSecretSealer([fresh]).open(both.seal('NEW', 'it'), 'it')).toBe('NEW')
  expect(() => createSecretSealer([fresh]).open(before, 'it')).toThrow('is not in SECRET_KEY or DATA_DIR')
})

test('without SECRET_KEY, a key file that only its owner can read is created in DATA_DIR and reused', () => {
  const home = mkdtempSync(join(tmpdir(), 'stanchion-sealing-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const dataDir = join(home, 'data')
  const sealed = secretSealerFor({ dataDir, secretKeys: undefined }).seal('JBSWY3DP', 'it')
  const file = join(dataDir, 'secret.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32)
  expect(secretSealerFor({ dataDir, secretKeys: undefined }).open(sealed, 'it')).toBe('JBSWY3DP')
})
