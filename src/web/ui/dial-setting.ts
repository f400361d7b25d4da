import { useSyncExternalStore } from 'react'
import { deviceStorage } from '../offline/browser-storage.ts'
import { numberToDial } from './phone.ts'

/**
 * The method by which this device calls a number: its own telephone, SIP, or a softphone's URL that contains
 * `{number}`.
 */
export interface DialSetting {
  readonly by: 'tel' | 'sip' | 'address'
  readonly address: string
}

const stored = deviceStorage.json<Partial<DialSetting>>('stanchion-dialling')
const PLAIN: DialSetting = { by: 'tel', address: '' }
/** The scheme of a softphone's address; scripts are never allowed. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const NEVER = /^\s*(javascript|data|vbscript|file|blob):/i

/** The problem with a softphone's URL as a message; undefined if it is valid. */
export function findSoftphoneUrlProblem(address: string): string | undefined {
  const given = address.trim()
  if (!given) return 'Please enter the softphone’s URL'
  if (NEVER.test(given) || !SCHEME.test(given)) return 'Please start with a scheme, such as https:// or sip:'
  return given.includes('{number}') ? undefined : 'Please include {number} where the number goes'
}

const listeners = new Set<() => void>()
let known: DialSetting | undefined

function read(): DialSetting {
  const { by, address } = stored.read() ?? {}
  if (by === 'sip') return { by, address: '' }
  return by === 'address' && typeof address === 'string' && !findSoftphoneUrlProblem(address) ? { by, address } : PLAIN
}

export const dialSetting = {
  get: (): DialSetting => {
    known ??= read()
    return known
  },
  set: (to: DialSetting): void => {
    known = to
    stored.write(to)
    for (const l of listeners) l()
  },
}

/** The URI that calls a number by the configured method; empty if the text is not a telephone number. */
export function dialUri(number: string, { by, address }: DialSetting): string {
  const to = numberToDial(number)
  if (!to) return ''
  if (by === 'address') return address.replaceAll('{number}', encodeURIComponent(to))
  return `${by}:${to}`
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const useDialSetting = (): DialSetting => useSyncExternalStore(subscribe, dialSetting.get, () => PLAIN)
