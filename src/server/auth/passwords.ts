import { hash, verify } from '@node-rs/argon2'
import type { Violation } from '#kernel/errors.ts'
import { violation } from '#kernel/errors.ts'

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const COMMON = [
  'password',
  'qwerty',
  '12345',
  'letmein',
  'welcome',
  'admin',
  'iloveyou',
  'abc123',
  'stanchion',
  'football',
  'monkey',
  'dragon',
  'sunshine',
  'princess',
]

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let nobody: Promise<string> | undefined
/** Verifies; without a stored hash it takes as long as with one, so that time does not tell whether the account exists. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const right = await verify(stored ?? (await nobody), password).catch(() => false)
  return right && stored !== undefined
}

/** Why a password is not good enough: long rather than odd (NCSC guidance), and not one that everybody tries first. */
export function passwordProblems(password: unknown, about: readonly string[] = []): Violation[] {
  const say = (message: string) => [violation('password', message)]
  if (typeof password !== 'string' || password === '') return say('Please enter a password')
  if (password.length < 10) return say('Please use at least 10 characters')
  if (password.length > 200) return say('Please use at most 200 characters')
  const lower = password.toLowerCase()
  if (new Set(lower).size < 5) return say('Please use more different characters')
  const found = [...COMMON, ...about.filter((a) => a.length > 3).map((a) => a.toLowerCase())].find(
    (word) =>
      lower.replace(/[^a-z0-9]/g, '').startsWith(word.replace(/[^a-z0-9]/g, '')) && lower.length < word.length + 6,
  )
  return found ? say('That is too easy to guess; three unrelated words make a good password') : []
}
