import { diff3Merge, diffIndices } from 'node-diff3'

/** A passage that a template has changed since it was copied, by its position among them. */
export interface ChangedPassage {
  readonly place: number
  /** True if the copy has changed the same paragraphs, with other content. */
  readonly own: boolean
  /** Text of the copy, and after the change; either may be empty. */
  readonly before: string
  readonly after: string
}

/** Splits formatted text into paragraphs, or plain text into lines; joined, they give the text again. */
export function splitParagraphs(text: string): string[] {
  if (!/^\s*<\w/.test(text)) return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (const tag of text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    const alone = tag[3] !== '' || tag[2] === 'br' || tag[2] === 'hr'
    if (!alone) depth += tag[1] === '' ? 1 : -1
    if (depth > 0 || tag[2] === 'br') continue
    const end = tag.index + tag[0].length
    parts.push(text.slice(from, end))
    ;[depth, from] = [0, end]
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}

/** Passages changed by the template that the copy doesn't have yet. */
export function changedPassages(base: string, theirs: string, mine: string): ChangedPassage[] {
  const said = splitParagraphs(mine)
  return diffIndices(splitParagraphs(base), splitParagraphs(theirs)).flatMap((_, place): ChangedPassage[] => {
    const { text, own } = mergeTemplateText(base, theirs, mine, (at) => at === place)
    const changes = diffIndices(said, splitParagraphs(text))
    const [first, last] = [changes[0], changes.at(-1)]
    if (!first || !last) return []
    const part = (all: readonly string[], of: 'buffer1' | 'buffer2') =>
      all.slice(first[of][0], last[of][0] + last[of][1]).join('')
    return [{ place, own, before: part(said, 'buffer1'), after: part(splitParagraphs(text), 'buffer2') }]
  })
}

/**
 * Applies template changes to the copy's text. Where both changed the same paragraphs (`own`), accepted changes replace
 * the copy's.
 */
export function mergeTemplateText(
  base: string,
  theirs: string,
  mine: string,
  taken: (place: number) => boolean,
): { readonly text: string; readonly own: boolean } {
  const [was, now] = [splitParagraphs(base), splitParagraphs(theirs)]
  const partly = [...was]
  // From the end, so that earlier positions remain valid.
  for (const [place, { buffer1, buffer2 }] of [...diffIndices(was, now).entries()].toReversed())
    if (taken(place)) partly.splice(buffer1[0], buffer1[1], ...now.slice(buffer2[0], buffer2[0] + buffer2[1]))
  const regions = diff3Merge(splitParagraphs(mine), was, partly)
  return {
    text: regions.flatMap((region) => region.ok ?? region.conflict?.b ?? []).join(''),
    own: regions.some((region) => region.conflict),
  }
}
