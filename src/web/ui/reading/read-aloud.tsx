import { IconPlayerStop, IconVolume } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'

const speech = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined

/** Calls `changed` when the browser has loaded its voices, which it does late. */
function subscribe(changed: () => void): () => void {
  speech?.addEventListener?.('voiceschanged', changed)
  return () => speech?.removeEventListener?.('voiceschanged', changed)
}

const hasVoice = (): boolean => (speech?.getVoices().length ?? 0) > 0

/** Reads the page's main content aloud in the browser's own voice. Renders nothing in browsers without a voice. */
export function ReadAloudButton({ className }: { readonly className?: string | undefined }) {
  const isAvailable = useSyncExternalStore(subscribe, hasVoice)
  const [isReading, setReading] = useState(false)
  useEffect(() => () => speech?.cancel(), [])
  if (!speech || !isAvailable) return null
  const read = () => {
    // biome-ignore lint/performance/useDomNodeTextContent: text that is not shown is not read aloud
    const lines = (document.getElementById('main')?.innerText ?? '').split('\n').filter((line) => line.trim())
    speech.cancel()
    // One utterance for each line, because some browsers stop in the middle of a long one.
    for (const [n, line] of lines.entries()) {
      const utterance = Object.assign(new SpeechSynthesisUtterance(line), { lang: 'en-GB' })
      if (n === lines.length - 1) utterance.addEventListener('end', () => setReading(false))
      speech.speak(utterance)
    }
    setReading(lines.length > 0)
  }
  const stop = () => {
    speech.cancel()
    setReading(false)
  }
  return (
    <button type="button" className={className} onClick={isReading ? stop : read}>
      {isReading ? <IconPlayerStop size={22} aria-hidden /> : <IconVolume size={22} aria-hidden />}
      {isReading ? 'Stop reading' : 'Read aloud'}
    </button>
  )
}
