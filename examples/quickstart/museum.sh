#!/bin/sh
# How museum.ogg was made: two voices of flite take turns. Needs flite and ffmpeg; the words are ours.
set -e
folder=$(mktemp -d)
target=$(realpath "${1:-museum.ogg}")
cd "$folder"
ffmpeg -v error -f lavfi -i anullsrc=r=16000:cl=mono -t 0.6 pause.wav
number=0
say() {
  number=$((number + 1))
  flite -voice "$1" -t "$2" -o "$number.wav"
  ffmpeg -v error -i "$number.wav" -ar 16000 "turn$number.wav"
  printf "file 'pause.wav'\nfile 'turn%s.wav'\n" "$number" >> list.txt
}
say slt "Good morning, and welcome to the museum. We open the doors at nine o'clock."
say rms "Thank you. I would like to see the old books. Are they in this building?"
say slt "The old books are in the room on the left, next to the garden. Please leave your coat here."
say rms "And may I write down some words from them, or is that against the rules?"
say slt "You can write as much as you like, but only with a pencil. People have left their marks for three hundred years, and we would like to stop there."
say rms "That is a good rule. I have a pencil with me, and I will be very careful."
printf "file 'pause.wav'\n" >> list.txt
ffmpeg -v error -y -f concat -safe 0 -i list.txt -ar 16000 -ac 1 -c:a libopus -b:a 24k -map_metadata -1 -fflags +bitexact "$target"
rm -r "$folder"
