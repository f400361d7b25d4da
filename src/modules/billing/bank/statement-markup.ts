import { createRequire } from 'node:module'
import type { Tokenizer } from 'htmlparser2'

// OFX and CAMT.053 are read from the tokens of htmlparser2, which expands no entities and needs no stack.

// Loaded with the first such file, because its entity tables are large.
let tokenizer: typeof Tokenizer | undefined

export type Attributes = Readonly<Record<string, string>>

interface MarkupReader {
  open(tag: string, attributes: Attributes): void
  /** Called for the end of an element, with its text since the last tag. */
  close(tag: string): void
  text(text: string): void
}

/** Reads SGML or XML in one pass. Tags are passed without their namespace. */
export function readMarkup(markup: string, reader: MarkupReader): void {
  tokenizer ??= (createRequire(import.meta.url)('htmlparser2') as { Tokenizer: typeof Tokenizer }).Tokenizer
  let tag = ''
  let name = ''
  let attributes: Record<string, string> = {}
  const bare = (start: number, end: number) => markup.slice(start, Math.min(end, start + 100)).replace(/^.*:/, '')
  const parser = new tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = bare(start, end)
        attributes = {}
      },
      onattribname: (start, end) => {
        name = bare(start, end)
      },
      onattribdata: (start, end) => {
        attributes[name] = (attributes[name] ?? '') + markup.slice(start, Math.min(end, start + 100))
      },
      onopentagend: () => reader.open(tag, attributes),
      onselfclosingtag: () => {
        reader.open(tag, attributes)
        reader.close(tag)
      },
      onclosetag: (start, end) => reader.close(bare(start, end)),
      ontext: (start, end) => reader.text(markup.slice(start, end)),
      ontextentity: (codepoint) => reader.text(String.fromCodePoint(codepoint)),
      oncdata: (start, end, endOffset) => reader.text(markup.slice(start, end - endOffset)),
      onattribentity: () => {},
      onattribend: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  parser.write(markup)
  parser.end()
}
