import { createRequire } from 'node:module'
import type { Tokenizer } from 'htmlparser2'
import { escapeHtmlText } from '#kernel/text/html.ts'
import { isRichTextTag, type RichTextTag } from '#kernel/text/runs.ts'

// Loaded when the first formatted text is sanitised, because the tokenizer's entity tables are large.
let tokenizer: typeof Tokenizer | undefined

/** Maximum depth of open elements; deeper elements are flattened. Real texts are less than a tenth as deep. */
const MAX_DEPTH = 100
const VOID_ELEMENTS: ReadonlySet<RichTextTag> = new Set(['br', 'hr'])
const DROPPED_ELEMENTS = new Set(['script', 'style', 'textarea'])
/** Elements that end a paragraph. */
const BLOCKS: ReadonlySet<RichTextTag> = new Set(['p', 'ul', 'ol', 'blockquote', 'hr'])

/**
 * Sanitises formatted text: only the portal's own tags remain, without attributes. Makes one pass, so that the time
 * depends on the length alone, even if tags are nested, broken or unclosed.
 */
export function sanitiseHtml(html: string): string {
  tokenizer ??= (createRequire(import.meta.url)('htmlparser2') as { Tokenizer: typeof Tokenizer }).Tokenizer
  const cleaner = new HtmlCleaner(html)
  const reader = new tokenizer({ decodeEntities: true }, cleaner)
  reader.write(html)
  reader.end()
  return cleaner.text
}

class HtmlCleaner {
  text = ''
  private readonly html: string
  private readonly open: RichTextTag[] = []
  /** Number of open elements beyond the maximum depth, whose closing tags are ignored. */
  private beyond = 0
  private code: string | undefined
  constructor(html: string) {
    this.html = html
  }

  ontext(start: number, end: number): void {
    if (!this.code) this.text += escapeHtmlText(this.html.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    if (!this.code) this.text += escapeHtmlText(String.fromCodePoint(codepoint))
  }

  onopentagname(start: number, end: number): void {
    const tag = this.html.slice(start, end).toLowerCase()
    if (this.code) return
    if (DROPPED_ELEMENTS.has(tag)) this.code = tag
    if (!isRichTextTag(tag)) return
    const last = this.open.at(-1)
    if ((last === 'p' && BLOCKS.has(tag)) || (last === 'li' && tag === 'li')) this.closeTo(this.open.length - 1)
    if (VOID_ELEMENTS.has(tag)) this.text += `<${tag} />`
    else if (this.open.length >= MAX_DEPTH) this.beyond++
    else {
      this.open.push(tag)
      this.text += `<${tag}>`
    }
  }

  onclosetag(start: number, end: number): void {
    const tag = this.html.slice(start, end).toLowerCase()
    if (this.code) {
      if (this.code === tag) this.code = undefined
      return
    }
    if (!isRichTextTag(tag) || VOID_ELEMENTS.has(tag)) return
    if (this.beyond > 0) this.beyond--
    else this.closeTo(this.open.lastIndexOf(tag))
  }

  onend(): void {
    this.closeTo(0)
  }

  /** Closes the open elements from a position; does nothing for -1. */
  private closeTo(place: number): void {
    if (place < 0) return
    for (const tag of this.open.splice(place).reverse()) this.text += `</${tag}>`
  }

  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onopentagend(): void {}
  onselfclosingtag(): void {}
  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
}
