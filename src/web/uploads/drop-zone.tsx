import { type ReactNode, useState } from 'react'
import css from './drop-zone.module.css'

interface Props {
  /** For those who can't see it: what it is for. */
  readonly label: string
  readonly onFiles: (files: FileList) => void
  readonly children: ReactNode
}

/** A place that files can be dropped on; the other ways to bring them stand in it. */
export function DropZone({ label, onFiles, children }: Props) {
  const [over, setOver] = useState(false)
  return (
    <section
      aria-label={label}
      className={css.zone}
      data-over={over || undefined}
      onDragOver={(e) => {
        e.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault()
        setOver(false)
        onFiles(e.dataTransfer.files)
      }}
    >
      {children}
    </section>
  )
}
