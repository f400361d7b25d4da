import '@mantine/core/styles/LoadingOverlay.layer.css'
import { Dropzone } from '@mantine/dropzone'
import type { ReactNode } from 'react'
import css from './drop-zone.module.css'

interface Props {
  /** For those who can't see it: what it is for. */
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
  readonly small?: boolean
}

/** A place that files and folders can be dropped on; the other ways to bring them stand in it. What is dropped beside it is not opened. */
export const DropZone = ({ label, onFiles, children, small = false }: Props) => (
  <Dropzone
    unstyled
    enablePointerEvents
    activateOnClick={false}
    activateOnKeyboard={false}
    role="region"
    aria-label={label}
    classNames={{ root: css.zone ?? '', inner: css.inside ?? '' }}
    onDrop={onFiles}
    mod={{ small }}
  >
    {children}
  </Dropzone>
)
