import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { UploadsView } from '#web/uploads/view.tsx'
import { listChapters } from './handbook.ts'
import css from './handbooks.module.css'

const chapterId = (n: number) => `chapter-${n + 1}`

/** Text of a handbook: summary of changes, contents, introduction and chapters. */
export default function HandbookBody({ record }: DocumentBodyProps) {
  const chapters = listChapters(record.chapters)
  const [changes, introduction] = [toText(record.reviewReason).trim(), toText(record.introduction).trim()]
  const files = uploadsInAnswer(record.uploadedDocuments)
  return (
    <div className={css.body}>
      {changes && (
        <section>
          <h2>Summary of changes</h2>
          <p className={css.changes}>{changes}</p>
        </section>
      )}
      {introduction && (
        <section>
          <h2>Introduction</h2>
          <RichTextView html={introduction} />
        </section>
      )}
      {chapters.length > 1 && (
        <nav aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol className={css.contents}>
            {chapters.map(({ title }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two chapters may have the same title
              <li key={i}>
                <a href={`#${chapterId(i)}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {chapters.map(({ title, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two chapters may have the same title
        <section key={i}>
          <h2 id={chapterId(i)}>{`${i + 1}. ${title}`}</h2>
          <RichTextView html={text} />
        </section>
      ))}
      {files.length > 0 && (
        <section>
          <h2>Attachments</h2>
          <UploadsView value={files} />
        </section>
      )}
    </div>
  )
}
