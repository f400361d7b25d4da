import { readFileSync } from 'node:fs'

const FILES = [
  import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular_Italic/SourceSans3_400Regular_Italic.ttf'),
  import.meta.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
  import.meta.resolve('@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/source-sans-3/700Bold_Italic/SourceSans3_700Bold_Italic.ttf'),
  import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
]

// These packages export only their lists of fonts, whose files are beside them.
const beside = (entry: string, file: string) => new URL(`../fonts/${file}`, entry).href
const [SC, KR] = [import.meta.resolve('@embedpdf/fonts-sc'), import.meta.resolve('@embedpdf/fonts-kr')]

/** Fonts for Hindi, Thai, Chinese, Japanese and Korean: 26 MB, so that they are read only for texts in these scripts. */
const FURTHER_FILES = [
  import.meta.resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
  beside(SC, 'NotoSansHans-Regular.otf'),
  beside(SC, 'NotoSansHans-Bold.otf'),
  beside(KR, 'NotoSansKR-Regular.otf'),
  beside(KR, 'NotoSansKR-Bold.otf'),
]

const read = (files: readonly string[]): Buffer[] => files.map((file) => readFileSync(new URL(file)))

/** Reads the fonts for printed documents in Latin, Greek, Cyrillic, Arabic and Hebrew letters, and emoji. */
export const readDocumentFonts = (): Buffer[] => read(FILES)

/** Reads the fonts for printed documents in further scripts. */
export const readFurtherFonts = (): Buffer[] => read(FURTHER_FILES)
