/**
 * A value in a content stream. Names start with a slash, strings are bytes, and dictionaries between `<<` and `>>` are
 * maps.
 */
export type Operand = number | string | Buffer | readonly Operand[] | ReadonlyMap<string, Operand>

export interface ContentOperation {
  readonly operator: string
  readonly operands: readonly Operand[]
}

const SPACE = /(?:[\0\t\n\f\r ]|%[^\r\n]*)*/y
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]+/y
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y
const HEX = /<[\da-fA-F\s]*>/y
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/**
 * Parses the operations of a content stream (ISO 32000-1, 7.8.2); `content` contains its bytes as Latin-1. Throws if
 * the content is invalid.
 */
export function parseContentOperations(content: string): ContentOperation[] {
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(content)?.[0]
    at += found?.length ?? 0
    return found
  }
  const all: ContentOperation[] = []
  let operands: Operand[] = []
  for (;;) {
    take(SPACE)
    if (at >= content.length) return all
    const value = readOperand()
    if (value !== undefined) operands.push(value)
    else {
      const operator = take(WORD)
      if (!operator) throw new Error(`a content stream has ${JSON.stringify(content.slice(at, at + 20))} in it`)
      all.push({ operator, operands })
      operands = []
    }
  }

  function readOperand(): Operand | undefined {
    take(SPACE)
    const c = content[at]
    if (c === '/') return take(NAME)
    if (c === '(') return readString()
    if (c === '[') return readList(']')
    if (content.startsWith('<<', at)) return readMap()
    if (c === '<') return Buffer.from((take(HEX) ?? '').replace(/[^\da-fA-F]/g, ''), 'hex')
    WORD.lastIndex = at
    const word = WORD.exec(content)?.[0]
    if (word === undefined) return undefined
    if (!/^[-+.\d]/.test(word) && !['true', 'false', 'null'].includes(word)) return undefined
    at += word.length
    return Number.isNaN(Number(word)) ? word : Number(word)
  }

  function readList(end: string): Operand[] {
    at += end.length
    const list: Operand[] = []
    for (;;) {
      take(SPACE)
      if (content.startsWith(end, at)) {
        at += end.length
        return list
      }
      const value = readOperand()
      if (value === undefined) throw new Error('a list in a content stream has no end')
      list.push(value)
    }
  }

  function readMap(): ReadonlyMap<string, Operand> {
    const list = readList('>>')
    return new Map(
      list.flatMap((key, i) => (i % 2 || typeof key !== 'string' ? [] : [[key, list[i + 1] ?? 'null'] as const])),
    )
  }

  function readString(): Buffer {
    let depth = 0
    let text = ''
    for (; at < content.length; at++) {
      const c = content[at] ?? ''
      if (c === '\\') text += readEscape()
      else {
        if (c === '(' && depth++ === 0) continue
        if (c === ')' && --depth === 0) {
          at++
          return Buffer.from(text, 'latin1')
        }
        text += c
      }
    }
    throw new Error('a string in a content stream has no end')
  }

  /** Reads the value of an escape sequence, and moves `at` from its backslash to its last character. */
  function readEscape(): string {
    const octal = /^[0-7]{1,3}/.exec(content.slice(at + 1, at + 4))?.[0]
    if (octal) {
      at += octal.length
      return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    }
    const c = content[++at] ?? ''
    return c === '\n' ? '' : (ESCAPES[c] ?? c)
  }
}
