import { lastIriSegment } from '#kernel/iri.ts'
import { toText } from '#kernel/text.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import page from '#web/ui/page.module.css'
import css from './talks.module.css'
import { toolboxTalk } from './toolbox-talk.ts'

/** Points of the talk, shown beside the attendees for the presenter. */
export function TalkPointsSection({ talk }: { readonly talk: string }) {
  const found = useApiRecord(toolboxTalk.resource, lastIriSegment(talk)).data as
    | Readonly<Record<string, unknown>>
    | undefined
  if (!found) return null
  const points = Array.isArray(found.points) ? (found.points as readonly { readonly text?: unknown }[]) : []
  return (
    <section className={page.card} aria-labelledby="to-say">
      <h2 id="to-say">Points to make</h2>
      <RichTextView html={toText(found.introduction)} />
      <ol className={css.points}>
        {points.map(({ text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sealed talk never changes
          <li key={i}>{toText(text)}</li>
        ))}
      </ol>
    </section>
  )
}
